#!/bin/sh
# Prints the folders of the workspaces that differ from a commit, one a line: `sh ci/changed.sh origin/main`.
# A file in the folder of a workspace concerns that one. Every other file may be shared, so it concerns all of them. Without
# such a commit it prints all.
set -eu
all=$(git ls-files | sed -nE 's#/plumbline\.(yaml|yml|json|jsonc|jsonnet)$##p')
if ! git cat-file -e "${1:-none}^{commit}" 2> /dev/null; then
  echo "$all"
  exit
fi
# A file that moved is one that is gone and one that is new.
files=$(git diff --name-only --no-renames "$1...HEAD")
for file in $files; do
  own=''
  for folder in $all; do
    case $file in "$folder"/*) own=$folder ;; esac
  done
  echo "${own:-$all}"
done | sort -u
