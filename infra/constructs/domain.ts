import { ApiMapping, type ApiMappingProps, DomainName, IpAddressType } from 'aws-cdk-lib/aws-apigatewayv2'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets'
import { Construct } from 'constructs'
import type { DomainSettings } from '../settings.ts'

export interface DomainProps extends Required<Pick<ApiMappingProps, 'api' | 'stage'>> {
  readonly settings: DomainSettings
}

/** An own name for an API, with IPv4 and IPv6. */
export class Domain extends Construct {
  readonly name: DomainName

  constructor(scope: Construct, id: string, { settings, api, stage }: DomainProps) {
    super(scope, id)
    this.name = new DomainName(this, 'Name', {
      domainName: settings.name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', settings.certificate),
      ipAddressType: IpAddressType.DUAL_STACK,
    })
    new ApiMapping(this, 'Mapping', { api, domainName: this.name, stage })
    if (settings.zone !== undefined) this.addRecords(settings.name, settings.zone)
  }

  private addRecords(name: string, hostedZoneId: string): void {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: name })
    const { regionalDomainName, regionalHostedZoneId } = this.name
    const target = RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId))
    // With the dot at its end the name is whole, whatever the zone is called.
    const record = { zone, target, recordName: `${name}.` }
    new ARecord(this, 'V4', record)
    new AaaaRecord(this, 'V6', record)
  }
}
