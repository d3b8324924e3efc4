"""What shells and the system say in German, French and Spanish, as they say it in English. Pure.

An error is the same in whichever language a machine speaks; its excerpt keeps the words.
"""

import re
from types import MappingProxyType
from typing import Final

_ENGLISH: Final = MappingProxyType({
    "Kommando nicht gefunden": "command not found",
    "Datei oder Verzeichnis nicht gefunden": "No such file or directory",
    "Keine Berechtigung": "Permission denied",
    "Ist ein Verzeichnis": "Is a directory",
    "Ist kein Verzeichnis": "Not a directory",
    "Die Datei existiert bereits": "File exists",
    "Das Verzeichnis ist nicht leer": "Directory not empty",
    "Die Operation ist nicht erlaubt": "Operation not permitted",
    "Verbindungsaufbau abgelehnt": "Connection refused",
    "Die Adresse wird bereits verwendet": "Address already in use",
    "Auf dem Ger\u00e4t ist kein Speicherplatz mehr verf\u00fcgbar": "No space left on device",
    "Das Dateisystem ist nur lesbar": "Read-only file system",
    "commande introuvable": "command not found",
    "Aucun fichier ou dossier de ce type": "No such file or directory",
    "Permission non accord\u00e9e": "Permission denied",
    "est un dossier": "Is a directory",
    "N'est pas un dossier": "Not a directory",
    "Le fichier existe": "File exists",
    "Le dossier n'est pas vide": "Directory not empty",
    "Op\u00e9ration non permise": "Operation not permitted",
    "Connexion refus\u00e9e": "Connection refused",
    "Adresse d\u00e9j\u00e0 utilis\u00e9e": "Address already in use",
    "orden no encontrada": "command not found",
    "No existe el fichero o el directorio": "No such file or directory",
    "Permiso denegado": "Permission denied",
    "Es un directorio": "Is a directory",
    "No es un directorio": "Not a directory",
    "El fichero ya existe": "File exists",
    "Conexi\u00f3n rehusada": "Connection refused",
    "No queda espacio en el dispositivo": "No space left on device",
})  # fmt: skip
WORDS: Final = (
    "icht gefunden", "eine Berechtigung", "ein Verzeichnis", "existiert bereits", "introuvable",
    "Aucun fichier", "Permission non", "un dossier", "no encontrada", "No existe el",
    "Permiso denegado", "un directorio",
)  # fmt: skip
"""Pieces of the most frequent of these, for finding their lines."""
_SAID: Final = re.compile(
    rf"(?<!\w)(?P<words>{'|'.join(map(re.escape, sorted(_ENGLISH, key=len, reverse=True)))})\.?$"
)
_ENDS: Final = tuple(end for words in _ENGLISH for end in (words, f"{words}."))
_COLON: Final = re.compile(r"[ \u00a0]: ")
_LINE: Final = re.compile(r": (?:Zeile|ligne|l\u00ednea) (?P<line>\d+): ")
_TRIES: Final = MappingProxyType({
    "Zugriff auf {} nicht m\u00f6glich": "cannot access",
    "impossible d'acc\u00e9der \u00e0 {}": "cannot access",
    "no se puede acceder a {}": "cannot access",
    "der Aufruf von stat f\u00fcr {} ist nicht m\u00f6glich": "cannot stat",
    "impossible d'\u00e9valuer {}": "cannot stat",
    "no se puede efectuar `stat' sobre {}": "cannot stat",
    "das Verzeichnis {} kann nicht angelegt werden": "cannot create directory",
    "impossible de cr\u00e9er le r\u00e9pertoire {}": "cannot create directory",
    "no se puede crear el directorio {}": "cannot create directory",
    "das Entfernen von {} ist nicht m\u00f6glich": "cannot remove",
    "impossible de supprimer {}": "cannot remove",
    "no se puede borrar {}": "cannot remove",
})  # fmt: skip
_TRIED: Final = tuple(
    (re.compile(f"(?<=: ){re.escape(words).replace(re.escape('{}'), '(.+)')}(?=: )"), english)
    for words, english in _TRIES.items()
)


def in_english(line: str) -> str:
    """Give a line in the words that it has in English; one that is in none of these as it is."""
    match = _SAID.search(line) if line.endswith(_ENDS) else None
    if not match:
        return line
    before = _LINE.sub(r": line \g<line>: ", _COLON.sub(": ", line[: match.start()]))
    for tried, english in _TRIED:
        before = tried.sub(rf"{english} \1", before)
    return before + _ENGLISH[match["words"]]
