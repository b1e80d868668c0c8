import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { isWithin, networkOf } from '../../networks.ts'
import { Admission, admissionLimits } from './admission.ts'

const connection = (remoteAddress: string): Socket => Object.assign(new PassThrough(), { remoteAddress }) as unknown as Socket

const admissionOf = (perNetwork: number, total = 0) =>
  new Admission({ perNetwork, total, grace: 0, isExempt: address => address === '10.0.0.1' })

describe('connections', () => {
  test('of one network are bounded, and those without work make room for new ones', async () => {
    const admission = admissionOf(2)
    const [first, second, third] = [connection('192.0.2.1'), connection('192.0.2.1'), connection('192.0.2.1')]
    assert.deepEqual([admission.admit(first), admission.admit(second)], [undefined, undefined])
    const release = admission.occupy(first)

    assert.equal(admission.admit(third), undefined)

    assert.deepEqual([first.destroyed, second.destroyed, third.destroyed], [false, true, false])
    release()
  })

  test('that all work are kept, and the new one is refused until one ends', () => {
    const admission = admissionOf(2)
    const open = [connection('192.0.2.1'), connection('192.0.2.1')]
    for (const socket of open) admission.admit(socket)
    const [release] = open.map(socket => admission.occupy(socket))

    assert.equal(admission.admit(connection('192.0.2.1')), 'network')
    assert.equal(admission.admit(connection('192.0.2.2')), undefined)
    release?.()
    assert.equal(admission.admit(connection('192.0.2.1')), undefined)
    assert.deepEqual(
      open.map(({ destroyed }) => destroyed),
      [true, false],
    )
  })

  test('in all are bounded: room is made by the network that has most of them', () => {
    const admission = admissionOf(0, 4)
    const [patient, ...many] = ['192.0.2.9', '192.0.2.1', '192.0.2.1', '192.0.2.1'].map(connection) as [Socket, ...Socket[]]
    for (const socket of [patient, ...many]) admission.admit(socket)

    assert.equal(admission.admit(connection('192.0.2.2')), undefined)

    assert.deepEqual([patient.destroyed, ...many.map(({ destroyed }) => destroyed)], [false, true, false, false])
  })

  test('that closed count no more', async () => {
    const admission = admissionOf(1)
    const first = connection('192.0.2.1')
    admission.admit(first)
    admission.occupy(first)
    first.destroy()
    await new Promise(resolve => first.once('close', resolve))

    assert.equal(admission.admit(connection('192.0.2.1')), undefined)
  })

  test('of a proxy are not bounded by address', () => {
    const admission = admissionOf(1)

    for (const _ of [1, 2, 3]) assert.equal(admission.admit(connection('10.0.0.1')), undefined)
  })
})

describe('a client', () => {
  test('has an IPv4 address, however written, or the first 64 bits of an IPv6 address', () => {
    assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1')
    assert.equal(networkOf('192.0.2.1:4711'), '192.0.2.1')
    assert.equal(networkOf('[2001:db8:1:2::1]:4711'), '2001:db8:1:2::/64')
    assert.equal(networkOf('unknown'), networkOf('_hidden:7'), 'what a proxy may forward in place of an address')
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
    assert.equal(networkOf('2001:db8:1:2::1'), '2001:db8:1:2::/64')
    assert.notEqual(networkOf('2001:db8:1:3::1'), networkOf('2001:db8:1:2::1'))
  })

  test('is a proxy where its address is trusted, and on this machine where an external URL says that one stands in front', () => {
    assert.equal(isWithin('::ffff:10.1.2.3', ['10.0.0.0/8']), true)
    assert.equal(isWithin('11.1.2.3', ['10.0.0.0/8', 'fd00::/8']), false)
    const settings = { connectionsPerAddress: 1, connections: 1, trustedProxies: ['10.0.0.0/8'] }
    const exempt = (externalUrl: string | undefined) =>
      ['127.0.0.1', '::1', '10.9.9.9', '192.0.2.1'].map(admissionLimits({ ...settings, externalUrl }).isExempt)
    assert.deepEqual(exempt(undefined), [false, false, true, false])
    assert.deepEqual(exempt('https://git.example.com'), [true, true, true, false])
  })
})
