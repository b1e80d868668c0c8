/** The registry of Python, of projects and of groups (PyPI packages API at 14.0; PEP 503). */
import type { Context } from '../../../../platform/kernel/context.ts'
import { bytes, endpoint, one, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { html } from '../../../../platform/pages/html.ts'
import { inGroup } from '../../../../spaces/groups/scope.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { fileByDigest, filesOfPackages, versionsIn, type Where } from '../../queries.ts'
import { inPackages } from '../../scope.ts'
import { PackagePublished } from '../shared/published.ts'
import { normalizedName } from './names.ts'
import { publishByTwine } from './publish.ts'

const pypi = packageDialect('pypi', { challenges: true })

const reading = { dialect: pypi, scopes: readingScopes, jobToken: true } as const

const package_name = text('Name of the package', { minLength: 1, maxLength: 255, examples: ['sample'] })

const named = {
  sha256: text('SHA-256 of the file, hexadecimal', {
    maxLength: 64,
    examples: ['ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'],
  }),
  file_identifier: text('Name of the file', { maxLength: 255, examples: ['sample-1.0.0.tar.gz'] }),
}

/** The page that pip reads: a link to each file of the package, with its digest. @param base the address that the files are below */
async function simplePage({ db }: Pick<Context, 'db'>, where: Where, name: string, base: string) {
  const rows = await versionsIn(db, where, { package_type: 'pypi', lookup_name: normalizedName(name) }).execute()
  const [newest] = rows.slice(-1)
  if (!newest) throw notFound('Package')
  const requirements = new Map(rows.map(row => [row.id, (row.metadata as { requires_python?: string }).requires_python ?? '']))
  const files = await filesOfPackages(db, [...requirements.keys()]).execute()
  const title = `Links for ${newest.name}`
  const links = files.map(
    ({ package_id, file_name, file_sha256 }) =>
      html`<a href="${base}/files/${file_sha256}/${encodeURIComponent(file_name)}#sha256=${file_sha256}" data-requires-python="${requirements.get(package_id)}">${file_name}</a><br>
`,
  )
  const page = html`<!DOCTYPE html>
<html>
<head><title>${title}</title></head>
<body>
<h1>${title}</h1>
${links}</body>
</html>
`
  return { body: page.text, headers: { 'content-security-policy': "default-src 'none'; sandbox" } }
}

async function download(ctx: Context, where: Where, { sha256, file_identifier }: { sha256: string; file_identifier: string }) {
  const file = await fileByDigest(ctx.db, where, { package_type: 'pypi', file_name: file_identifier, sha256: sha256.toLowerCase() })
  if (!file) throw notFound('Package')
  return fileAnswer(ctx, file)
}

export const publishPypiFile = endpoint({
  route: 'POST /projects/:id/packages/pypi',
  summary: 'Publish a file of a Python package, as a multipart form',
  dialect: pypi,
  scope: inPackages,
  can: 'create_package',
  scopes: publishingScopes,
  jobToken: true,
  rawBody: true,
  writes: 'own',
  answers: one(PackagePublished, 201),
  errors: ['too_large'],
  async run(ctx) {
    await publishByTwine(ctx, ctx.project)
    return {}
  },
})

export const listPypiFiles = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/pypi/simple/:package_name',
  summary: 'List the files of a Python package of a project, as pip reads it',
  scope: inPackages,
  can: 'read_package',
  params: { package_name },
  answers: bytes('text/html; charset=utf-8'),
  run: ctx =>
    simplePage(ctx, { projectId: ctx.project.id }, ctx.params.package_name, `${ctx.url}/api/v4/projects/${ctx.project.id}/packages/pypi`),
})

export const listPypiFilesOfGroup = endpoint({
  ...reading,
  route: 'GET /groups/:id/-/packages/pypi/simple/:package_name',
  summary: 'List the files of a Python package of the projects in a group and below it, as pip reads it',
  scope: inGroup,
  can: 'read_group_packages',
  params: { package_name },
  answers: bytes('text/html; charset=utf-8'),
  run: ctx =>
    simplePage(
      ctx,
      { actor: ctx.actor, groupId: ctx.group.id },
      ctx.params.package_name,
      `${ctx.url}/api/v4/groups/${ctx.group.id}/-/packages/pypi`,
    ),
})

export const downloadPypiFile = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/pypi/files/:sha256/:file_identifier',
  summary: 'Download a file of a Python package',
  scope: inPackages,
  can: 'read_package',
  params: named,
  answers: ranged('application/octet-stream'),
  run: ctx => download(ctx, { projectId: ctx.project.id }, ctx.params),
})

export const downloadPypiFileOfGroup = endpoint({
  ...reading,
  route: 'GET /groups/:id/-/packages/pypi/files/:sha256/:file_identifier',
  summary: 'Download a file of a Python package of the projects in a group and below it',
  scope: inGroup,
  can: 'read_group_packages',
  params: named,
  answers: ranged('application/octet-stream'),
  run: ctx => download(ctx, { actor: ctx.actor, groupId: ctx.group.id }, ctx.params),
})
