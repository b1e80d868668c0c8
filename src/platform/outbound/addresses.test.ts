import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { destinationOf, OutboundRefused } from './addresses.ts'

const nowhere = async (): Promise<never> => {
  throw new Error('no such name')
}

describe('what people may make the server connect to', () => {
  const refused = [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1:8080/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/machine',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
    'http://[::10.0.0.1]/',
    'http://[4000::1]/',
  ]
  for (const url of refused) test(`not ${url}`, () => assert.rejects(destinationOf(new URL(url), [], nowhere), OutboundRefused))

  test('a public address, at the port of its scheme', async () => {
    const https = await destinationOf(new URL('https://93.184.215.14/x'), [], nowhere)
    assert.deepEqual(https, { host: '93.184.215.14', port: 443, address: '93.184.215.14', family: 4 })
    const v6 = await destinationOf(new URL('http://[2606:2800:21f:cb07::1]:8000/'), [], nowhere)
    assert.deepEqual([v6.port, v6.address, v6.family], [8000, '2606:2800:21f:cb07::1', 6])
  })

  test('a name whose addresses are all public, and the address that was checked is the one connected to', async () => {
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }]
    assert.equal((await destinationOf(new URL('https://example.com'), [], resolve)).address, '93.184.215.14')
  })

  test('not a name with one private address among its own', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    await assert.rejects(destinationOf(new URL('https://example.com'), [], resolve), { message: /local network/ })
  })

  test('not a name that nobody knows', () =>
    assert.rejects(destinationOf(new URL('https://nothing.invalid'), [], nowhere), { message: 'Host cannot be resolved: nothing.invalid' }))

  test('what the administrator allows: hosts, addresses, networks', async () => {
    const resolve = async () => [{ address: '10.0.0.7', family: 4 }]
    for (const allow of ['ci.local', '10.0.0.7', '10.0.0.0/8'])
      assert.equal((await destinationOf(new URL('http://CI.local/'), [allow], resolve)).address, '10.0.0.7')
    await assert.rejects(destinationOf(new URL('http://ci.local/'), ['10.1.0.0/16', 'fd00::/8'], resolve), OutboundRefused)
  })
})
