function _gitmem_completion
    set -l typed (commandline -cp | string collect)
    set -l word (commandline -t | string collect)
    for line in (env COMP_WORDS="$typed" COMP_CWORD="$word" _GITMEM_COMPLETE=fish_complete gitmem)
        set -l offer (string split -m 1 , -- $line)
        switch $offer[1]
            case dir
                __fish_complete_directories $offer[2]
            case file
                __fish_complete_path $offer[2]
            case plain
                printf '%s\n' $offer[2]
        end
    end
end
function _gitmem_words
    set -l typed (commandline -cop)
    set -l at (contains -i -- -- $typed)
    if test "$typed[2]" = run; and set -q at[1]
        set -l rest
        test $at -lt (count $typed); and set rest $typed[(math $at + 1)..-1]
        complete -C (string join ' ' -- (string escape -- $rest) (commandline -ct))
    else
        _gitmem_completion
    end
end
complete --erase --command gitmem
complete --no-files --command gitmem --arguments "(_gitmem_words)"
