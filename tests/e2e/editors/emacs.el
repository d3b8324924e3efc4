;;; Drives Emacs and eglot with the set-up of docs/editors.md.  -*- lexical-binding: t -*-
;; What it saw goes as JSON into $OUT; what was to be seen is asserted by the test.
(require 'package)
(setq package-user-dir (expand-file-name "elpa" (getenv "SETUP")))
;; Debian's packages; from Emacs 29 on, eglot is part of Emacs.
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(require 'json)
(require 'cl-lib)
(require 'eglot)
(setq eglot-sync-connect 60 eglot-connect-timeout 60 make-backup-files nil
      create-lockfiles nil auto-save-default nil)
(load (expand-file-name "gitmem.el" (getenv "SETUP")))
(defvar seen nil)
(defun see (name value) (push (cons name value) seen))
(defun turn-on ()
  (gitmem-mode)
  (run-hooks 'post-command-hook)
  (until "the server" #'eglot-current-server))
(defun until (what condition)
  "Wait for CONDITION, which is WHAT."
  (let ((end (+ (float-time) (string-to-number (or (getenv "PATIENCE") "60")))) (found nil))
    (while (not (setq found (funcall condition)))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))
    found))
(defun at (text) (goto-char (point-min)) (search-forward text) (goto-char (match-beginning 0)))
(defun problems () (flymake-diagnostics))
(defun texts (list) (vconcat (mapcar #'flymake-diagnostic-text list)))
(defun hover ()
  (until "a hover"
         (lambda () (plist-get (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                           (eglot--TextDocumentPositionParams))
                                          :contents) :value))))
(defun scenario ()
  (find-file (getenv "RECORD"))
  (turn-on)
  (see 'diagnostics (texts (until "diagnostics" (lambda () (flymake-start) (problems)))))
  (at "wroked")
  (let ((actions (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                  (list :textDocument (eglot--TextDocumentIdentifier)
                                        :range (list :start (eglot--pos-to-lsp-position)
                                                     :end (eglot--pos-to-lsp-position))
                                        :context (list :diagnostics [])))))
    (see 'actions (vconcat (mapcar (lambda (one) (plist-get one :title)) actions)))
    (eglot--apply-workspace-edit
     (plist-get (cl-find "Replace by worked" actions
                         :key (lambda (one) (plist-get one :title)) :test #'equal)
                :edit)))
  (see 'text (buffer-string))
  ;; Nobody is idle in batch mode: what waits for that is done at once.
  (eglot--signal-textDocument/didChange)
  (until "the fix" (lambda () (flymake-start) (not (problems))))
  (set-buffer-modified-p nil)
  (find-file (getenv "CODE"))
  (text-mode)
  (turn-on)
  (at (getenv "ID"))
  (forward-char 2)
  (see 'hover (hover))
  (see 'definition
       (xref-location-group (xref-item-location (car (xref-backend-definitions 'eglot "LSP identifier at point.")))))
  (eglot-shutdown (eglot-current-server)))
(condition-case fault
    (scenario)
  ((debug error) (see 'fault (format "%S" fault))))
(with-temp-file (getenv "OUT") (insert (json-encode seen)))
(kill-emacs 0)
