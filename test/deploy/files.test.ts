/** The files of `deploy` fit the program: what they copy is there, commands and flags exist, metrics are served. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { load } from 'js-yaml'
import { settings } from '../../src/platform/settings.ts'
import { testFolder } from '../folder.ts'
import { openScene } from '../scene.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(root, 'deploy', path), 'utf8')
const variables: ReadonlySet<string> = new Set(Object.values(settings).map(({ env }) => env))

/** The instructions of a Dockerfile, with continued lines joined. */
const instructionsOf = (text: string) =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => ({ name: line.split(/\s+/)[0] as string, rest: line.slice(line.indexOf(' ') + 1).trim() }))

test('the Dockerfile copies what is there, and nothing that its ignore file leaves out', async () => {
  const instructions = instructionsOf(await read('Dockerfile'))
  const allowed = (await read('Dockerfile.dockerignore')).split('\n').filter(line => line.startsWith('!'))
  const copied = instructions
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
    .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))

  assert.deepEqual(
    copied.filter(path => !existsSync(join(root, path))),
    [],
  )
  assert.deepEqual([...copied].sort(), allowed.map(line => line.slice(1)).sort())
})

test('the image runs without rights, keeps its data in a volume, and is asked whether it is ready', async () => {
  const instructions = instructionsOf(await read('Dockerfile'))
  const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))
  const of = (wanted: string) => last.filter(({ name }) => name === wanted).map(({ rest }) => rest)

  assert.deepEqual([of('USER'), of('VOLUME'), of('EXPOSE')], [['ingot'], ['/data'], ['8080 2222']])
  assert.match(of('HEALTHCHECK')[0] ?? '', /\/-\/readiness/)
  // In the form of a list no shell stands between the signal and the program.
  assert.deepEqual(JSON.parse(of('ENTRYPOINT')[0] ?? ''), ['tini', '--', 'ingot'])
  assert.deepEqual(JSON.parse(of('CMD')[0] ?? ''), ['start'])
  const named = of('ENV').flatMap(rest => [...rest.matchAll(/(\w+)=/g)].map(([, name]) => name as string))
  assert.deepEqual(
    named.filter(name => !variables.has(name)),
    [],
  )
  for (const path of (await read('Dockerfile')).match(/\bsrc\/[\w/.]+\.ts\b/g) ?? []) assert.equal(existsSync(join(root, path)), true, path)
})

test('the health check of the image says whether a server is ready', async () => {
  const scene = await openScene()
  const { rest } = instructionsOf(await read('Dockerfile')).find(({ name }) => name === 'HEALTHCHECK') as { rest: string }
  const [, ...args] = JSON.parse(rest.slice(rest.indexOf('CMD') + 4)) as string[]
  const check = (port: string) =>
    run(process.execPath, args, { env: { INGOT_PORT: port } }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    )

  assert.deepEqual([await check(String(scene.deps.http.port)), await check('1')], [0, 1])
})

test('the compose file has settings and commands that exist', async () => {
  const { services, volumes } = load(await read('compose.yaml')) as {
    services: Record<
      string,
      { environment?: Record<string, string>; command?: string[]; volumes: string[]; build?: { dockerfile: string } }
    >
    volumes: Record<string, null>
  }
  const { ingot, runner, database } = services
  assert.ok(ingot && runner && database)
  assert.deepEqual(
    Object.keys(ingot.environment ?? {}).filter(name => !variables.has(name)),
    [],
  )
  assert.equal(existsSync(join(root, ingot.build?.dockerfile ?? 'none')), true)
  const { stdout: help } = await run(join(root, 'bin/ingot'), ['help', 'runner'])
  for (const flag of runner.command?.filter(word => word.startsWith('--')) ?? []) assert.ok(help.includes(`${flag} `), flag)
  const used = Object.values(services).flatMap(({ volumes: mounted }) => mounted.map(mount => mount.split(':')[0] as string))
  assert.deepEqual(used.sort(), Object.keys(volumes).sort())
})

for (const [name, files] of [
  ['the unit of systemd is one that systemd takes', ['ingot.service']],
  ['the unit of systemd with the namespaces of jobs is one that systemd takes', ['ingot.service', 'ingot-jobs.conf']],
] as const)
  test(name, async t => {
    if (!existsSync('/usr/bin/systemd-analyze')) return t.skip('systemd is not installed on this machine')
    // What an addition says in its section counts as if it stood at the end of that of the unit.
    const [unit = '', addition = ''] = await Promise.all(files.map(read))
    const whole = unit.replace('[Install]', `${addition.replace('[Service]', '')}\n[Install]`)
    for (const [, name] of unit.matchAll(/^Environment=(\w+)=/gm)) assert.ok(variables.has(name as string), name)
    const path = join(await testFolder(), 'ingot.service')
    await writeFile(path, whole.replaceAll('/opt/ingot/bin', join(root, 'bin')))

    const { stdout, stderr } = await run('systemd-analyze', ['verify', path])

    assert.equal(
      `${stdout}${stderr}`
        .split('\n')
        .filter(line => line.includes('ingot.service'))
        .join('\n'),
      '',
    )
  })

test('alerts and the dashboard ask for metrics that are served', async () => {
  const token = 'a token that reads the metrics'.replaceAll(' ', '-')
  const scene = await openScene({ settings: { metricsToken: token } })
  await scene.anonymous.get('/projects')
  const answer = await scene.anonymous.get(`${scene.url}/-/metrics`, {}, { authorization: `Bearer ${token}` })
  const text = answer.bytes.toString()
  const served = new Set(text.split('\n').flatMap(line => /^(\w+)[{ ]/.exec(line)?.slice(1) ?? []))
  const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name as string))
  // Prometheus itself adds these.
  const added = ['up', 'job', 'instance']

  const { groups } = load(await read('monitoring/alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const dashboard = JSON.parse(await read('monitoring/grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
  const asked = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]

  assert.ok(asked.length > 15)
  for (const expression of asked) {
    const metrics = [...expression.matchAll(/\b([a-z]\w+)\s*\{/g)].map(([, name]) => name as string)
    assert.ok(metrics.length > 0, expression)
    assert.deepEqual(
      metrics.filter(name => !served.has(name) && !added.includes(name)),
      [],
      expression,
    )
    const matched = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, name]) => name as string)
    assert.deepEqual(
      matched.filter(name => !labels.has(name) && !added.includes(name)),
      [],
      expression,
    )
  }
})

test('the files name no registry', async () => {
  for (const file of globSync('deploy/**/*', { cwd: root, withFileTypes: true }).filter(entry => entry.isFile())) {
    const text = await readFile(join(file.parentPath, file.name), 'utf8')
    assert.doesNotMatch(text, /(?:FROM|image:)\s+\S+\.\w+\/\S+/, file.name)
  }
})
