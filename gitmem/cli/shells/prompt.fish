# gitmem: after a failing command in a repository with a memory, one line offers help.
# Nothing is captured, and no process is started.
if status is-interactive
    function _gitmem_postexec --on-event fish_postexec
        set -l code $status
        contains -- $code 0 130 141 148; and return
        string match -q -- '*gitmem*' $argv[1]; and return
        set -l name .memory
        set -q GITMEM_FOLDER; and set name $GITMEM_FOLDER
        set -l folder $PWD
        while not test -f $folder/$name/gitmem.yaml
            test -n "$folder"; or return
            set folder (string replace -r '/[^/]*$' '' -- $folder)
        end
        echo "gitmem: exit code $code; what is known?  eval \$history[1] 2>&1 | gitmem hint" >&2
    end
end
