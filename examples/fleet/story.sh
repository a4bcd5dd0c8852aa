#!/bin/sh
# Plays what a pipeline does with three workspaces in one repository, without a forge. It needs Node and Git, and no network.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "$here/.story-XXXXXX")
plumbline() { ${PLUMBLINE:-npx plumbline} "$@"; }
say() { printf '\n=== %s\n\n' "$1"; }

# Runs a command that must end with this code: 2 says that something differs.
ends_with() {
  wanted=$1
  shift
  code=0
  "$@" || code=$?
  [ "$code" -eq "$wanted" ] || { echo "it ended with $code, not $wanted: $*" >&2; exit 1; }
}

node "$here/target.mjs" > "$work/address" &
target=$!
trap 'kill "$target"; rm -rf "$work"' EXIT
while [ ! -s "$work/address" ]; do sleep 0.1; done
PLUMBLINE_VAR_api=$(cat "$work/address")
# A store of its own, whatever is stored above this folder.
PLUMBLINE_STORE=$work
export PLUMBLINE_VAR_api PLUMBLINE_STORE

mkdir "$work/repository"
cd "$work/repository"
cp -R "$here/shared" "$here/web" "$here/mail" "$here/office" "$here/ci" .
echo 'plans/' > .gitignore
git init --quiet --initial-branch main
git config user.name story
git config user.email story@acme.example
git add .
git commit --quiet --message 'three workspaces'

say 'The first check of all: one saved plan for each, and exactly these are applied'
ends_with 2 plumbline check --all --out plans
ends_with 0 plumbline apply plans --reason 'the first apply'

say 'A branch changes one workspace: the comment of its review'
git switch --quiet --create move-web
sed 's/192\.0\.2\.10/192.0.2.11/' web/plumbline.yaml > moved
mv moved web/plumbline.yaml
git commit --quiet --all --message 'web moves'
folders=$(sh ci/changed.sh main)
ends_with 2 plumbline check $folders --store memory --format markdown

say 'It is merged: what the merge changed is planned, approved and applied'
git switch --quiet main
git merge --quiet --no-ff --message 'merge' move-web
rm -r plans
mkdir plans
folders=$(sh ci/changed.sh HEAD^1)
ends_with 2 plumbline check $folders --out plans
ls plans
ends_with 0 plumbline apply plans --reason 'approved in the review'

say 'Somebody changes the target by hand: the scheduled check of all finds it, and fails'
node -e 'await fetch(process.argv[1], { method: "PUT", body: JSON.stringify({ address: "203.0.113.66" }) })' \
  --input-type=module "$PLUMBLINE_VAR_api/records/mail.acme.example"
ends_with 2 plumbline check --all --fail-on drift

say 'A change of what all share: every workspace is checked'
git switch --quiet --create shared
sed 's/default: 3600/default: 7200/' shared/records.provider.yaml > moved
mv moved shared/records.provider.yaml
git commit --quiet --all --message 'another default'
sh ci/changed.sh main
