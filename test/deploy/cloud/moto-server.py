"""moto's server, with what keeps it from creating our stack mended. Arguments: those of `moto_server`.

Prints `only recorded: TYPE` for each type of resource that moto does not make: the stack holds it, and nothing does its work.
"""

import os
import sys

from moto.cloudformation import parsing
from moto.cloudformation.models import CloudFormationBackend
from moto.core.common_models import CloudFormationModel
from moto.kms.models import Key
from moto.server import main
from moto.sqs.models import Queue


class Recorded(CloudFormationModel):
    """A resource of a type that moto does not make."""

    __module__ = "moto.cloudformation"  # moto looks up the service of each class here

    def __init__(self, name):
        self.physical_resource_id = name

    @staticmethod
    def cloudformation_name_type():
        return ""

    @staticmethod
    def cloudformation_type():
        return ""

    @classmethod
    def has_cfn_attr(cls, attr):
        return True

    def get_cfn_attribute(self, attribute_name):
        if attribute_name == "ApiEndpoint":
            return "https://api.execute-api.us-east-1.amazonaws.com"
        return f"{self.physical_resource_id}.{attribute_name}"

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **kwargs):
        return cls(resource_name)

    @classmethod
    def update_from_cloudformation_json(cls, original_resource, **changed):
        return original_resource

    @classmethod
    def delete_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name):
        pass

    def is_created(self):
        return True


class_of = parsing.resource_class_from_type
told = set()


def class_or_recorded(resource_type):
    known = class_of(resource_type)
    if known is None and resource_type not in told:
        told.add(resource_type)
        print(f"only recorded: {resource_type}", flush=True)
    return known or Recorded


create_queue = Queue.create_from_cloudformation_json


def create_named_queue(resource_name, cloudformation_json, account_id, region_name, **kwargs):
    """CloudFormation ends the names that it makes for first-in, first-out queues with .fifo; moto does not."""
    if cloudformation_json["Properties"].get("FifoQueue"):
        resource_name = f"{resource_name[:75]}.fifo"
    return create_queue(resource_name, cloudformation_json, account_id, region_name, **kwargs)


create_key = Key.create_from_cloudformation_json


def create_key_of_its_kind(resource_name, cloudformation_json, account_id, region_name, **kwargs):
    """moto makes every key of a stack one for encryption."""
    key = create_key(resource_name, cloudformation_json, account_id, region_name, **kwargs)
    properties = cloudformation_json["Properties"]
    key.key_spec = properties.get("KeySpec", key.key_spec)
    key.key_usage = properties.get("KeyUsage", key.key_usage)
    return key


delete_resources = parsing.ResourceMap.delete


def delete_what_is_not_kept(self):
    """RetainExceptOnCreate keeps what was created, as Retain does; moto knows the latter only."""
    for each in self._resource_json_map.values():
        if each.get("DeletionPolicy") == "RetainExceptOnCreate":
            each["DeletionPolicy"] = "Retain"
    delete_resources(self)


resolve_parameters = CloudFormationBackend._resolve_update_parameters


def resolve_known_parameters(self, instance, incoming_params):
    """moto fails for the former value of a parameter that had its default; left out, it has it again."""
    known = [each for each in incoming_params if "ParameterValue" in each or each["ParameterKey"] in instance.parameters]
    return resolve_parameters(self, instance, known)


CloudFormationBackend._resolve_update_parameters = resolve_known_parameters
# The addresses that the stack hands to its functions: they send to the host that stands there.
Queue.physical_resource_id = property(lambda self: f"{os.environ['QUEUE_ORIGIN']}/{self.account_id}/{self.name}")
parsing.resource_class_from_type = class_or_recorded
parsing.ResourceMap.delete = delete_what_is_not_kept
Key.create_from_cloudformation_json = create_key_of_its_kind
Queue.create_from_cloudformation_json = create_named_queue

if __name__ == "__main__":
    sys.exit(main())
