from target_settings import *

INSTALLED_APPS += ('morecloud.apps.MoreCloudConfig',)
