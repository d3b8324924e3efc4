"""A page to look at, on this machine: one or several memories in a browser.

``application`` puts it together. ``access`` lets requests in, ``repositories`` holds the memories,
``pages`` has a module for each page, ``templates`` what they look like.
"""
