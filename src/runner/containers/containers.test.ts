/** Jobs in containers: names of images, orders to an engine, and whole jobs with a real one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostNamesOf, isLocalImage, isOnLoopback, wholeImageName } from './image_names.ts'
import { listenedOn } from './job_containers.ts'
import { BadOrder, commandFor, type Engine, type Order } from './orders.ts'

test('an image has a whole name, and what an engine would read as a file of the machine is none', () => {
  for (const [name, whole] of [
    ['alpine', 'docker.io/library/alpine'],
    ['node:20-alpine', 'docker.io/library/node:20-alpine'],
    ['team/tool', 'docker.io/team/tool'],
    ['quay.io/team/tool:1', 'quay.io/team/tool:1'],
    ['127.0.0.1:5000/team/app', '127.0.0.1:5000/team/app'],
    ['localhost/box', 'localhost/box'],
    ['oci-archive:box', 'docker.io/library/oci-archive:box'],
    [`ruby@sha256:${'a'.repeat(64)}`, `docker.io/library/ruby@sha256:${'a'.repeat(64)}`],
  ] as const)
    assert.equal(wholeImageName(name), whole, name)
  for (const name of [
    '',
    '-v',
    'dir:/etc',
    'docker-archive:/x.tar',
    'docker://alpine',
    '../x',
    'a b',
    'Alpine',
    'a/../b',
    'a:b:c',
    'a'.repeat(600),
  ])
    assert.equal(wholeImageName(name), undefined, name)
  assert.deepEqual([isLocalImage('localhost/box'), isLocalImage('localhost:5000/box')], [true, false])
  assert.deepEqual([isOnLoopback('127.0.0.1:80/a'), isOnLoopback('127.0.0.1.example.com/a')], [true, false])
})

test('a service is reached by its aliases and by two names made of its image', () => {
  assert.deepEqual(hostNamesOf('postgres:13', null), ['postgres'])
  assert.deepEqual(hostNamesOf('team/db:1@sha256:0a', null), ['team__db', 'team-db'])
  assert.deepEqual(hostNamesOf('registry.example.com:5000/team/db:1', 'db, cache;x'), [
    'db',
    'registry.example.com__team__db',
    'registry.example.com-team-db',
  ])
})

test('the ports that are listened on are read as the system writes them', () => {
  const text =
    '  sl  local_address rem_address   st\n   0: 0100007F:1B58 00000000:0000 0A 0\n   1: 0100007F:0050 0100007F:9999 01 0\n' +
    '   0: 00000000000000000000000000000000:1538 00000000000000000000000000000000:0000 0A 0\n'
  assert.deepEqual([...listenedOn(text)], [7000, 5432])
})

test('an order that leads out of its job is not carried out, whatever sends it', () => {
  const engine: Engine = { kind: 'podman', program: '/usr/bin/podman', mayShareNetwork: false, mark: 'abc' }
  const creation = {
    do: 'create',
    part: 'job',
    image: 'ruby',
    entrypoint: undefined,
    command: [],
    environment: {},
    network: 'own',
    hosts: [],
  }
  const order = (changes: object) => ({ ...creation, directory: undefined, ...changes }) as unknown as Order
  for (const [job, bad] of [
    [0, order({})],
    [1, order({ part: 'job --privileged' })],
    [1, order({ image: 'dir:/root' })],
    [1, order({ image: '--privileged' })],
    [1, order({ network: 'machine' })],
    [1, order({ hosts: ['a:b'] })],
    [1, order({ directory: 'relative' })],
    [1, order({ environment: { A: 'one\nB=two' } })],
    [1, order({ environment: { 'A=B': 'c' } })],
    [1, { do: 'pull', image: 'localhost/secret', logins: {} }],
    [1, { do: 'get', part: '../other', from: '/' }],
    [1.5, { do: 'run', part: 'job' }],
  ] as const)
    assert.throws(() => commandFor(engine, job, bad as Order, '/folder'), BadOrder, JSON.stringify(bad))
})

test('no secret is an argument of an engine, and no program that keeps passwords is started', () => {
  const engine: Engine = { kind: 'podman', program: '/usr/bin/podman', mayShareNetwork: true, mark: 'abc' }
  const creation: Order = {
    ...{ do: 'create', part: 'job', image: 'ruby', entrypoint: ['/bin/run', '-x'], command: ['sh'], environment: { KEY: 'secret' } },
    ...{ network: 'services', hosts: [], directory: '/builds' },
  }
  const made = commandFor(engine, 7, creation, '/folder')
  assert.equal(made.files.environment, 'KEY=secret\n')
  assert.deepEqual(made.args.slice(-4), ['/bin/run', 'docker.io/library/ruby', '-x', 'sh'])
  assert.ok(made.args.includes('container:ingot-abc-7-network') && !made.args.join(' ').includes('secret'))
  const pull: Order = { do: 'pull', image: 'quay.io/a/b', logins: { 'quay.io': 'dTpw' } }
  for (const kind of ['podman', 'docker'] as const) {
    const { args, files } = commandFor({ ...engine, kind }, 7, pull, '/folder')
    assert.deepEqual(JSON.parse(files['config.json'] ?? ''), { auths: { 'quay.io': { auth: 'dTpw' } } })
    assert.ok(!args.join(' ').includes('dTpw'))
  }
})
