/** Repositories of charts, one for each channel of a project (Helm packages API at 14.0; Helm's documentation, "The Chart Repository Guide"). */
import { Readable } from 'node:stream'
import type { Db } from '../../../../platform/db/connection.ts'
import { lockName } from '../../../../platform/db/statements/named_locks.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { addFile, keepReceived, mayPublishNamed, publishVersion } from '../../commands.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { type Channel, fileInChannel, filesOfChannel, type PackageRow } from '../../queries.ts'
import { receiveForm } from '../../receive.ts'
import { inPackages } from '../../scope.ts'
import { PackagePublished, unfitPackage } from '../shared/published.ts'
import { readChart } from './chart.ts'
import { indexDocument, written } from './index_document.ts'

const helm = packageDialect('helm', { challenges: true })

const reading = { dialect: helm, scopes: readingScopes, jobToken: true } as const

const channel = text('Name of the channel', {
  pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]+$',
  minLength: 1,
  maxLength: 255,
  examples: ['stable'],
})

const channelNamed = (name: string): Channel => ({ package_type: 'helm', name })

/** Versions in an index: the newest, as Helm packages have it in public behaviour. */
const MOST_VERSIONS = 300

export const getHelmIndex = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/helm/:channel/index.yaml',
  summary: 'Get the index of the charts of a channel, as Helm reads it',
  scope: inPackages,
  can: 'read_package',
  cost: 'heavy',
  params: { channel },
  answers: bytes('text/yaml'),
  async run({ db, deps, project, params, now, url }) {
    const files = await filesOfChannel(db, project.id, channelNamed(params.channel), MOST_VERSIONS)
    // Where the plugin that pushes charts finds the addresses for that.
    const serverInfo = { contextPath: `${new URL(url).pathname.replace(/\/$/, '')}/api/v4/projects/${project.id}/packages/helm` }
    // Read as the answer is sent: the transaction of the request may be over.
    const document = indexDocument(deps.database.db, files, { generated: written(now), serverInfo })
    return { body: Readable.from(document, { objectMode: false }) }
  },
})

export const downloadHelmChart = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/helm/:channel/charts/:file_name.tgz',
  summary: 'Download a chart of a channel',
  scope: inPackages,
  can: 'read_package',
  params: {
    channel,
    file_name: text('Name of the archive without `.tgz`', { maxLength: 255, examples: ['thing-1.0.0'] }),
  },
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    const { db, project, params } = ctx
    const file = await fileInChannel(db, project.id, channelNamed(params.channel), `${params.file_name}.tgz`)
    if (!file) throw notFound('Package')
    return fileAnswer(ctx, file)
  },
})

/** A file named `chart`; the plugin of Helm sends whether it wants to replace one. */
const form = { name: 'chart', fields: 20, fieldSize: 4_096 }

const chartIn = (beginning: Buffer) => readChart(Readable.from([beginning]))

/** Publishes the chart of the form to a channel. A chart may be published again: the newest one of its version is taken. */
const publishChart = (ctx: Context & { readonly body: Readable }, project: Stored, channel: string): Promise<void> =>
  receiveForm(
    ctx,
    project,
    form,
    { type: 'helm', admission: mayPublishNamed(ctx, project, 'helm', chartIn) },
    async ({ received }, counted) => {
      const { name, version, ...others } = await readChart(await ctx.deps.objects.read(received.key))
      await keepReceived(ctx, received, counted, async db => {
        const published = await publishVersion(db, ctx, project.id, { package_type: 'helm', name, version })
        const fileName = `${name}-${version}.tgz`
        await assertOwnFileName(db, published.package, channel, fileName)
        const about = { channel, metadata: { name, version, ...others } }
        return { file: await addFile(db, ctx, published.package, fileName, received, about) }
      })
    },
  )

/** Names with dashes may lead to one file from several charts, so the name of the file is what is locked. @throws Refusal 400 where another chart has it */
async function assertOwnFileName(db: Db, { id, project_id }: PackageRow, channel: string, fileName: string): Promise<void> {
  await lockName(db, 'chart file', project_id, channel, fileName)
  const file = await fileInChannel(db, project_id, channelNamed(channel), fileName)
  if (file && file.package_id !== id) throw unfitPackage(`File name has already been taken: ${fileName}`)
}

export const publishHelmChart = endpoint({
  route: 'POST /projects/:id/packages/helm/api/:channel/charts',
  summary: 'Publish a chart to a channel, as a multipart form',
  dialect: helm,
  scope: inPackages,
  can: 'create_package',
  scopes: publishingScopes,
  jobToken: true,
  rawBody: true,
  writes: 'own',
  params: { channel },
  answers: one(PackagePublished, 201),
  errors: ['too_large'],
  async run(ctx) {
    await publishChart(ctx, ctx.project, ctx.params.channel)
    return {}
  },
})
