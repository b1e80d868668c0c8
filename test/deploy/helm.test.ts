/**
 * The chart of deploy/helm, as helm renders it: what it rendered is kept in test/deploy/helm, with a digest of the chart. Where helm is installed
 * (`npm run clients:install`, or another helm by its path in INGOT_HELM), the chart is linted and rendered again, and with INGOT_HELM_KEEP what it
 * renders is kept.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { load, loadAll } from 'js-yaml'
import { settings } from '../../src/platform/settings.ts'
import { helm as packedHelm } from '../clients/npm_clients/packed.ts'
import { openWorkbench } from '../clients/workbench.ts'

const run = promisify(execFile)
const chart = join(import.meta.dirname, '../../deploy/helm')
const kept = join(import.meta.dirname, 'helm')
// biome-ignore lint/style/noProcessEnv: where another helm is, this machine alone knows
const { INGOT_HELM: own, INGOT_HELM_KEEP: keep } = process.env
const packed = await packedHelm(await openWorkbench())
const helm = own ?? (packed.skip === false ? packed.program : undefined)

/** Values of each rendering: those of the chart alone, and of files. */
const renderings = { standard: undefined, everything: 'everything.yaml', elsewhere: 'elsewhere.yaml' } as const
type Name = keyof typeof renderings
const names = Object.keys(renderings) as Name[]

interface Port {
  readonly name: string
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}
interface Container {
  readonly image: string
  readonly env: readonly Variable[]
  readonly ports: readonly Port[]
  readonly volumeMounts: readonly Port[]
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly securityContext: object
}
interface PodSpec {
  readonly containers: readonly [Container]
  readonly volumes: readonly { readonly name: string; readonly persistentVolumeClaim?: { readonly claimName: string } }[]
  readonly securityContext: object
  readonly terminationGracePeriodSeconds: number
}
type Labels = Readonly<Record<string, string>>
interface Part {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Labels }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another form
  readonly spec: any
  readonly stringData?: Labels
}

async function digest(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of globSync('**/*.{yaml,json,tpl,txt}', { cwd: chart }).sort())
    hash.update(`${name}\n`).update(await readFile(join(chart, name)))
  for (const name of ['everything.yaml', 'elsewhere.yaml']) hash.update(await readFile(join(kept, name)))
  return hash.digest('hex')
}

const fileOf = (name: Name) => join(kept, `${name}.golden.yaml`)

async function render(name: Name): Promise<string> {
  const values = renderings[name]
  const args = ['template', 'git', chart, '--namespace', 'git', ...(values === undefined ? [] : ['--values', join(kept, values)])]
  const { stdout } = await run(helm!, args)
  return `# Rendered by helm of the chart with the digest ${await digest()}\n${stdout}`
}

const partsOf = async (name: Name): Promise<Map<string, Part>> =>
  new Map((loadAll(await readFile(fileOf(name), 'utf8')) as (Part | null)[]).flatMap(part => (part ? [[part.kind, part] as const] : [])))

test('helm finds nothing wrong with the chart, and renders it as it is kept', { skip: !helm && packed.skip }, async () => {
  await run(helm!, ['lint', '--strict', chart])
  for (const name of names) {
    const rendered = await render(name)
    if (keep) await writeFile(fileOf(name), rendered)
    assert.equal(rendered, await readFile(fileOf(name), 'utf8'), name)
  }
  for (const [given, says] of [
    [['replicas=2'], /several replicas need a database/],
    [['replicas=2', 'secrets.databaseUrl=postgres://x'], /several replicas need a volume/],
    [['serviceMonitor.enabled=true'], /Prometheus needs a token/],
    [['replica=2'], /additional propert(y|ies).*replica/i],
    [['secrets.secretKey=abc'], /secretKey/],
  ] as const) {
    const args = given.flatMap(value => ['--set', value])
    await assert.rejects(() => run(helm!, ['template', 'git', chart, ...args]), says, given.join(' '))
  }
})

test('what is kept was rendered of the chart as it is', async () => {
  for (const name of names)
    assert.equal(
      (await readFile(fileOf(name), 'utf8')).split('\n')[0]?.split(' ').at(-1),
      await digest(),
      `${name}: render it again with INGOT_HELM_KEEP=yes`,
    )
})

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

test('each value is described by the schema, and each that it describes is there', async () => {
  const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')) as Schema
  const values = load(await readFile(join(chart, 'values.yaml'), 'utf8')) as object
  const compare = (path: string, described: Schema, given: unknown): void => {
    if (path !== '') assert.ok((described.description ?? '').length > 5, `${path} is not described`)
    if (!described.properties) return
    assert.deepEqual(Object.keys(given as object).sort(), Object.keys(described.properties).sort(), path)
    for (const [name, each] of Object.entries(described.properties))
      compare(`${path}.${name}`, each, (given as Readonly<Record<string, unknown>>)[name])
  }
  compare('', schema, values)
})

for (const name of names)
  test(`the parts of the rendering ${name} name each other, settings and addresses that there are`, async () => {
    const parts = await partsOf(name)
    const { spec: service } = parts.get('Service')!
    const set = parts.get('StatefulSet')!
    const pod: PodSpec = set.spec.template.spec
    const [container] = pod.containers
    const labels: Labels = set.spec.template.metadata.labels
    const ports = new Set(container.ports.map(port => port.name))
    const includes = (selector: Labels) => Object.entries(selector).every(([key, value]) => labels[key] === value)

    for (const { metadata } of parts.values()) assert.match(metadata.name, /^git-ingot(-data)?$/)
    assert.equal(set.spec.serviceName, parts.get('Service')!.metadata.name)
    assert.ok(includes(set.spec.selector.matchLabels) && includes(service.selector))
    for (const port of service.ports) assert.ok(ports.has(port.targetPort), port.targetPort)
    for (const { httpGet } of [container.startupProbe, container.readinessProbe, container.livenessProbe])
      assert.deepEqual([['/-/liveness', '/-/readiness'].includes(httpGet.path), httpGet.port], [true, 'http'])
    const volumes = new Set(pod.volumes.map(volume => volume.name))
    for (const mount of container.volumeMounts) assert.ok(volumes.has(mount.name), mount.name)
    const claim = pod.volumes.find(volume => volume.persistentVolumeClaim)?.persistentVolumeClaim?.claimName
    assert.equal(claim, name === 'elsewhere' ? 'git-data' : parts.get('PersistentVolumeClaim')!.metadata.name)
    const variables = new Set(Object.values(settings).map(({ env }) => env as string))
    for (const { name: variable, value, valueFrom } of container.env) {
      assert.ok(variables.has(variable), variable)
      assert.equal(typeof (value ?? valueFrom?.secretKeyRef.key), 'string', variable)
      if (valueFrom && name !== 'elsewhere') assert.equal(typeof parts.get('Secret')!.stringData?.[valueFrom.secretKeyRef.key], 'string')
    }
    assert.equal(new Set(container.env.map(each => each.name)).size, container.env.length)
    // Ten seconds for requests, 45 for each part that does not close, and the delay before.
    const delay = Number(container.env.find(each => each.name === 'INGOT_STOP_DELAY')?.value)
    assert.ok(pod.terminationGracePeriodSeconds >= delay + 60)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok('runAsNonRoot' in pod.securityContext && 'fsGroup' in pod.securityContext)
    if (name !== 'everything') return
    assert.deepEqual([...parts.keys()].sort(), ['Ingress', 'PersistentVolumeClaim', 'Secret', 'Service', 'ServiceMonitor', 'StatefulSet'])
    const [rule] = parts.get('Ingress')!.spec.rules
    assert.deepEqual([rule.host, rule.http.paths[0].backend.service.name], ['git.example.com', parts.get('Service')!.metadata.name])
    const [endpoint] = parts.get('ServiceMonitor')!.spec.endpoints
    assert.ok(service.ports.some((port: Port) => port.name === endpoint.port))
    const metrics = endpoint.authorization.credentials
    assert.equal(parts.get('Secret')!.stringData?.[metrics.key], 'a-token-of-twenty-characters')
  })
