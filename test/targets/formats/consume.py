"""Reads what a check says, with programs that pipelines use: `consume.py JSON` answers JSON.

`{"policy": text of Rego, "plan": file}`  the sentences of `data.main.deny`, by Microsoft's rego-cpp
`{"junit": file}`                         the test suites with their cases, by junitparser
`{"markdown": file}`                      HTML, by GitHub's own renderer, cmark-gfm
"""

import json
import pathlib
import sys

import cmarkgfm
from junitparser import JUnitXml
from regopy import Interpreter


def denied(policy, plan):
    rego = Interpreter()
    rego.add_module("policy", policy)
    rego.set_input(json.loads(pathlib.Path(plan).read_text()))
    return sorted(rego.query("data.main.deny").results[0].expressions[0])


def suites(file):
    return {
        suite.name: {case.name: [type(result).__name__ for result in case.result] for case in suite}
        for suite in JUnitXml.fromfile(file)
    }


def html(file):
    return cmarkgfm.github_flavored_markdown_to_html(pathlib.Path(file).read_text())


asked = json.loads(sys.argv[1])
if "policy" in asked:
    print(json.dumps(denied(asked["policy"], asked["plan"])))
elif "junit" in asked:
    print(json.dumps(suites(asked["junit"])))
else:
    print(json.dumps(html(asked["markdown"])))
