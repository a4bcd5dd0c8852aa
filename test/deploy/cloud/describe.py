"""Prints what a stack is made of, as the services themselves describe it. Arguments: endpoint, name of the stack."""

import json
import sys

import boto3

endpoint, stack = sys.argv[1:]


def client(service):
    given = {"aws_access_key_id": "reader", "aws_secret_access_key": "reader", "region_name": "us-east-1"}
    return boto3.client(service, endpoint_url=endpoint, **given)


def pages(service, operation, member, **arguments):
    found = client(service).get_paginator(operation).paginate(**arguments)
    return [each for page in found for each in page.get(member, [])]


def ours(name):
    """Not one of the CDK's own."""
    return name.startswith(f"{stack}-")


def queue(url):
    attributes = client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    return {"QueueUrl": url, **attributes}


def role(name):
    iam = client("iam")
    names = iam.list_role_policies(RoleName=name)["PolicyNames"]
    documents = [iam.get_role_policy(RoleName=name, PolicyName=each)["PolicyDocument"] for each in names]
    return [statement for each in documents for statement in each["Statement"]]


description = {
    "functions": pages("lambda", "list_functions", "Functions"),
    "mappings": pages("lambda", "list_event_source_mappings", "EventSourceMappings"),
    "queues": [queue(url) for url in client("sqs").list_queues().get("QueueUrls", [])],
    "topics": [
        client("sns").get_topic_attributes(TopicArn=each["TopicArn"])["Attributes"]
        for each in pages("sns", "list_topics", "Topics")
    ],
    "tables": [client("dynamodb").describe_table(TableName=name)["Table"] for name in client("dynamodb").list_tables()["TableNames"]],
    "roles": {name: role(name) for name in (each["RoleName"] for each in pages("iam", "list_roles", "Roles")) if ours(name)},
    "logGroups": pages("logs", "describe_log_groups", "logGroups"),
}
try:
    described = client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
    resources = pages("cloudformation", "list_stack_resources", "StackResourceSummaries", StackName=stack)
    description["stack"] = {"status": described["StackStatus"], "outputs": described.get("Outputs", [])}
    description["resources"] = resources
except client("cloudformation").exceptions.ClientError:
    description["resources"] = []
json.dump(description, sys.stdout, default=str)
