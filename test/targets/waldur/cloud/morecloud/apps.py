"""The rest of a cloud that says yes: networks, addresses, volumes, ports. As in fakecloud, all else is Waldur's own."""
import uuid

from django.apps import AppConfig


class MoreCloudConfig(AppConfig):
    name = 'morecloud'

    def ready(self):
        from waldur_openstack.backend import OpenStackBackend as B
        from waldur_openstack.exceptions import OpenStackBackendError

        def made(self, thing, *args, **kwargs):
            if 'refused-by-cloud' in (getattr(thing, 'name', '') or ''):
                raise OpenStackBackendError('The cloud has no room for it.')
            thing.backend_id = uuid.uuid4().hex
            thing.save(update_fields=['backend_id'])

        def nothing(self, *args, **kwargs):
            pass

        def set(**values):
            def changed(self, thing, *args, **kwargs):
                for name, value in values.items():
                    setattr(thing, name, value)
                thing.save(update_fields=list(values))

            return changed

        def address(self, floating_ip, *args, **kwargs):
            made(self, floating_ip)
            floating_ip.address = '203.0.113.%d' % (floating_ip.pk % 250)
            floating_ip.name = floating_ip.address
            floating_ip.runtime_state = 'DOWN'
            floating_ip.save()

        def port(self, thing, *args, **kwargs):
            made(self, thing)
            thing.mac_address = 'fa:16:3e:00:01:%02x' % (thing.pk % 256)
            thing.save(update_fields=['mac_address'])

        def attached(self, volume, instance_uuid, device=None):
            set(runtime_state='in-use', device=device or '/dev/vdb')(self, volume)

        def detached(self, volume):
            set(runtime_state='available', device='', instance=None)(self, volume)

        def runtime_state(self, volume, *args, **kwargs):
            set(runtime_state=volume.runtime_state or 'available')(self, volume)

        def instance_state(self, instance, *args, **kwargs):
            if instance.runtime_state not in ('SHUTOFF', 'VERIFY_RESIZE'):
                set(runtime_state='ACTIVE')(self, instance)

        for name, answer in {
            'create_network': made, 'create_subnet': made, 'create_server_group': made, 'create_volume': made,
            'create_floating_ip': address, 'create_port': port,
            'attach_volume': attached, 'detach_volume': detached, 'pull_volume_runtime_state': runtime_state,
            'pull_instance_runtime_state': instance_state,
            'resize_instance': set(runtime_state='VERIFY_RESIZE'), 'confirm_instance_resize': set(runtime_state='SHUTOFF'),
            **dict.fromkeys((
                'update_network', 'set_network_mtu', 'delete_network', 'pull_network',
                'update_subnet', 'delete_subnet', 'pull_subnet', 'connect_subnet', 'disconnect_subnet',
                'update_floating_ip_description', 'delete_floating_ip', 'pull_floating_ip', 'delete_server_group',
                'pull_server_group', 'delete_port', 'update_volume', 'extend_volume', 'retype_volume', 'pull_volume',
                'push_instance_ports', 'push_instance_floating_ips', 'pull_tenant_routers',
            ), nothing),
        }.items():
            assert hasattr(B, name), name
            setattr(B, name, answer)
