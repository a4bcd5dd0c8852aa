"""Every Python of the target reads this first: its settings get the rest of the cloud."""
import os

os.environ['DJANGO_SETTINGS_MODULE'] = 'more_settings'
