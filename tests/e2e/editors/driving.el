;;; What the scenarios of Emacs have in common.  -*- lexical-binding: t -*-
(require 'package)
(setq package-user-dir (expand-file-name "elpa" (getenv "SETUP")))
;; Debian's packages; from Emacs 29 on, eglot is part of Emacs.
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(require 'json)
(require 'cl-lib)
(setq make-backup-files nil create-lockfiles nil auto-save-default nil)
(defvar seen nil)
(defun see (name value) (push (cons name value) seen))
(defun until (what condition)
  "Wait for CONDITION, which is WHAT."
  (let ((end (+ (float-time) (string-to-number (or (getenv "PATIENCE") "60")))) (found nil))
    (while (not (setq found (funcall condition)))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))
    found))
(defun at (text) (goto-char (point-min)) (search-forward text) (goto-char (match-beginning 0)))
(defun told (scenario)
  "Run SCENARIO; write what was seen."
  (condition-case fault
      (funcall scenario)
    ((debug error) (see 'fault (format "%S" fault))))
  (with-temp-file (getenv "OUT") (insert (json-encode seen)))
  (kill-emacs 0))
