"""Stands before a server and asks it everything through Waldur's published client: `referee.py http://127.0.0.1:1234`.

Prints its own address, then a line of JSON for each request: the operation of the client that it was, and in what request or
answer are not as the client knows them. It ends with its standard input.
"""

import http.server
import importlib
import inspect
import json
import os
import pathlib
import re
import sys
import threading
import typing
import urllib.parse
from enum import Enum

import attrs
import waldur_api_client
from waldur_api_client import AuthenticatedClient
from waldur_api_client.errors import UnexpectedStatus
from waldur_api_client.models import (
    OpenStackInstanceCreateOrderAttributes,
    OpenStackVolumeCreateOrderAttributes,
    OrderCreateRequest,
)

target = sys.argv[1]
root = pathlib.Path(waldur_api_client.__file__).parent


def operations():
    """Each module of the client that sends one request, by its method and its path."""
    for file in root.glob("api/*/*.py"):
        text = file.read_text()
        method = re.search(r'"method": "(\w+)"', text)
        url = re.search(r'"url": f?"([^"]+)"', text)
        if method and url:
            path = re.sub(r"\{[^}]*\}", "{uuid}", url[1])
            module = f"waldur_api_client.api.{file.parent.name}.{file.stem}"
            yield method[1].upper(), path, module


# What is as fixed as `me` comes before what a uuid fills.
table = sorted(operations(), key=lambda each: "{" in each[1])
patterns = [(method, re.compile(path.replace("{uuid}", "([^/]+)") + "$"), path, module) for method, path, module in table]


def parts(annotation):
    """The types of an annotation, without what is between them."""
    inner = typing.get_args(annotation)
    return [part for each in inner for part in parts(each)] if inner else [annotation]


def query_value(annotation, texts):
    kinds = [each for each in parts(annotation) if inspect.isclass(each)]
    enum = next((each for each in kinds if issubclass(each, Enum)), None)
    values = [enum(text) if enum else text for text in texts]
    return values if "list[" in str(annotation) else values[0]


def model_of(annotation, body):
    model = next(each for each in parts(annotation) if hasattr(each, "from_dict"))
    return [model.from_dict(each) for each in body] if isinstance(body, list) else model.from_dict(body)


def unknown(value, at):
    """Members that the client's models have no name for."""
    if isinstance(value, list):
        for item in value:
            yield from unknown(item, f"{at}[]")
    elif attrs.has(type(value)):
        fields = [field.name for field in attrs.fields(type(value))]
        more = getattr(value, "additional_properties", {})
        # A model without fields of its own is any object.
        if fields != ["additional_properties"]:
            yield from (f"{at}.{name} is unknown to {type(value).__name__}" for name in more)
        for name in fields:
            if name != "additional_properties":
                yield from unknown(getattr(value, name), f"{at}.{name}")


def judged(body):
    """The client takes the attributes of an order for the first model that fits; here it is what the example orders."""
    if not isinstance(body, OrderCreateRequest):
        return body
    attributes = body.to_dict()["attributes"]
    model = OpenStackInstanceCreateOrderAttributes if "flavor" in attributes else OpenStackVolumeCreateOrderAttributes
    return attrs.evolve(body, attributes=model.from_dict(attributes))


def ask(method, path, query, body, headers):
    """The answer, the name of the operation, and the faults."""
    last = {}
    faults = []

    def keep(response):
        response.read()
        last["response"] = response

    # The client writes the word in front of the token itself.
    token = headers.get("authorization", "").removeprefix("Token ")
    client = AuthenticatedClient(
        # Without certificates to load, which takes longer than all else.
        base_url=target, token=token, verify_ssl=False, httpx_args={"event_hooks": {"response": [keep]}}
    )
    found = next(((each, match) for each in patterns if each[0] == method and (match := each[1].match(path))), None)
    if found is None:
        return None, f"{method} {path}", ["the client has no such operation"]
    (_, _, template, module_name), match = found
    module = importlib.import_module(module_name)
    hints = typing.get_type_hints(module.sync_detailed)
    given = {}
    for name, texts in query.items():
        if name in hints:
            given[name] = query_value(hints[name], texts)
        # Whatever may come in pages is asked for with their size.
        elif name != "page_size":
            faults.append(f"the client has no filter {name}")
    try:
        if "body" in hints:
            given["body"] = model_of(hints["body"], body)
            faults += unknown(judged(given["body"]), "the body")
        elif body is not None:
            faults.append("the client sends no body")
        sent = lambda: module.sync_detailed(*match.groups(), client=client, **given).parsed
    except Exception as error:
        faults.append(f"the client's model of the body refuses it: {type(error).__name__} {error}")

        def sent():
            response = client.get_httpx_client().request(method, path, json=body)
            return module._parse_response(client=client, response=response)

    try:
        faults += unknown(sent(), "the answer")
    except UnexpectedStatus as error:
        # A refusal is an answer too.
        if error.status_code < 400:
            faults.append(f"the client does not expect {error.status_code}")
    except Exception as error:
        faults.append(f"the client cannot read the answer: {type(error).__name__} {error}")
    return last.get("response"), f"{method} {template}", faults


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        own = f"http://{self.headers['host']}"
        length = int(self.headers.get("content-length") or 0)
        text = self.rfile.read(length).decode().replace(own, target)
        path, _, query = self.path.partition("?")
        asked = urllib.parse.parse_qs(query)
        response, operation, faults = ask(self.command, path, asked, json.loads(text) if text else None, self.headers)
        print(json.dumps({"operation": operation, "faults": faults}), flush=True)
        content = response.text.replace(target, own).encode() if response is not None else b""
        self.send_response(response.status_code if response is not None else 501)
        for name in ("content-type", "link", "location"):
            if response is not None and name in response.headers:
                self.send_header(name, response.headers[name].replace(target, own))
        if content or self.command == "GET":
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

    def log_message(self, *_):
        pass


def end_with_input():
    sys.stdin.read()
    os._exit(0)


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=end_with_input, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
