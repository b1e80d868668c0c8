/** What an identity provider asks: whom it looks up among many, one after the other, and whom it brings. */
import { startFloor } from './floor/start.ts'
import { type Prepared, type RequestCase, readRequest } from './requests.ts'
import type { ProvisionedGroup } from './scim_group.ts'

const lookup = (name: string, address: (group: ProvisionedGroup) => string): RequestCase => ({
  name,
  connections: 1,
  promise: { p99: 5 },
  async prepare(bench) {
    const group = await bench.provisioned()
    return readRequest(bench, group.address + address(group), group.headers)
  },
})

const provisioning: RequestCase = {
  name: 'SCIM provisioning',
  connections: 8,
  promise: { requestsPerSecond: 200 },
  async prepare(bench): Promise<Prepared> {
    const { id, address, headers } = await bench.provisioned()
    const { deps } = bench
    const work = { databaseUrl: deps.database.url, poolSize: deps.config.databasePoolSize, groupId: id }
    const person = {
      externalId: '[<id>]',
      userName: '[<id>]',
      active: true,
      name: { formatted: 'New Person' },
      emails: [{ type: 'work', primary: true, value: '[<id>]@example.com' }],
    }
    return { address, headers, body: JSON.stringify(person), floor: () => startFloor('./provisioning.ts', work) }
  },
}

export const scimCases: readonly RequestCase[] = [
  lookup('SCIM user get', ({ externUid }) => `/${externUid}`),
  lookup('SCIM user by userName', ({ userName }) => `?filter=${encodeURIComponent(`userName eq "${userName}"`)}`),
  provisioning,
]
