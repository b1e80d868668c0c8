/** The repository of Maven, of projects, groups and the instance (Maven packages API at 14.0). */
import type { Readable } from 'node:stream'
import { allows } from '../../../../platform/access/abilities.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { type ByteAnswer, bytes, endpoint, ranged } from '../../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { badRequest, conflict, notFound } from '../../../../platform/kernel/errors.ts'
import { isClientGone } from '../../../../platform/kernel/request/wire.ts'
import { inGroup } from '../../../../spaces/groups/scope.ts'
import { visibleProject } from '../../../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../../../spaces/projects/scope.ts'
import { publishFile } from '../../commands.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'
import { fileAnswer } from '../../downloads.ts'
import { newestFileIn, type PackageFileRow, versionsIn, type Where } from '../../queries.ts'
import { announcedSize } from '../../receive.ts'
import { inPackages } from '../../scope.ts'
import { type MavenFile, type MavenPackage, mavenFileAt, packageOfFile, packagesOfFolder } from './paths.ts'

const maven = packageDialect('maven')

const reading = { dialect: maven, scopes: readingScopes, jobToken: true } as const

const params = {
  maven_path: text('Path of the file: group, artifact, version and name, as `org/example/thing/1.0.0/thing-1.0.0.jar`', {
    maxLength: 1_000,
    examples: ['org/example/thing/1.0.0/thing-1.0.0.jar'],
  }),
}

/** @throws Refusal 400 for a path that no file of Maven has */
function fileAt(path: string): MavenFile {
  const file = mavenFileAt(path)
  const tooLong =
    file && (file.file_name.length > 255 || Object.values(packageOfFile(file)).some(part => part !== null && part.length > 255))
  if (!file || tooLong) throw badRequest('The path is none of a file of Maven')
  return file
}

const versions = (ctx: Pick<Context, 'db'>, where: Where, { name, version }: MavenPackage) =>
  versionsIn(ctx.db, where, { package_type: 'maven', lookup_name: name }).where('packages.version', version === null ? 'is' : '=', version)

/** The newest file of this name in the packages that its folder may be of. @throws Refusal 404 */
async function findFile(ctx: Context, where: Where, { folder, file_name }: MavenFile): Promise<PackageFileRow> {
  const found = await Promise.all(packagesOfFolder(folder).map(named => versions(ctx, where, named).execute()))
  const ids = found.flat().map(row => row.id)
  const file = await newestFileIn(ctx.db, ids, file_name)
  if (!file) throw notFound('Package')
  return file
}

/** A file, or the digest of it. */
async function answerAt(ctx: Context, where: Where, path: string): Promise<ByteAnswer> {
  const wanted = fileAt(path)
  const file = await findFile(ctx, where, wanted)
  if (wanted.checksum === undefined) return fileAnswer(ctx, file)
  return { body: file[`file_${wanted.checksum}`] as string, headers: { 'content-type': 'text/plain' } }
}

/**
 * The project that a path of the registry of the instance is of: artifacts there are named like their project, so that nobody else can take their
 * names. @throws Refusal 404
 */
async function projectOf({ db, actor }: Context, { folder }: MavenFile): Promise<ProjectWithRole> {
  for (const { name } of packagesOfFolder(folder)) {
    const project = name.includes('/') ? await visibleProject(db, actor, name) : undefined
    if (project?.packages_enabled && allows(actor, 'read_package', projectSubject(project)) === 'yes') return project
  }
  throw notFound('Package')
}

export const downloadMavenFile = endpoint({
  ...reading,
  route: 'GET /projects/:id/packages/maven/*maven_path',
  summary: 'Download a file of Maven, or its `.sha1` or `.md5`',
  scope: inPackages,
  can: 'read_package',
  params,
  answers: ranged('application/octet-stream'),
  run: ctx => answerAt(ctx, { projectId: ctx.project.id }, ctx.params.maven_path),
})

export const downloadMavenFileOfGroup = endpoint({
  ...reading,
  route: 'GET /groups/:id/-/packages/maven/*maven_path',
  summary: 'Download a file of Maven of the projects in a group and below it',
  scope: inGroup,
  can: 'read_group',
  params,
  answers: ranged('application/octet-stream'),
  run: ctx => answerAt(ctx, { actor: ctx.actor, groupId: ctx.group.id }, ctx.params.maven_path),
})

export const downloadMavenFileOfInstance = endpoint({
  ...reading,
  route: 'GET /packages/maven/*maven_path',
  summary: 'Download a file of Maven of the project whose full path its group and artifact are',
  scope: inInstance,
  can: 'read_instance',
  params,
  answers: ranged('application/octet-stream'),
  async run(ctx) {
    const { maven_path } = ctx.params
    return answerAt(ctx, { projectId: (await projectOf(ctx, fileAt(maven_path))).id }, maven_path)
  },
})

export const publishMavenFile = endpoint({
  route: 'PUT /projects/:id/packages/maven/*maven_path',
  summary: 'Publish a file of Maven, or compare its `.sha1` with what has come',
  dialect: maven,
  scope: inPackages,
  can: 'create_package',
  scopes: publishingScopes,
  jobToken: true,
  rawBody: true,
  writes: 'own',
  params,
  // Contract: 200 for a file and for an `.md5`, which is not looked at; 204 for the `.sha1` of the file, 409 for another one (public behaviour at 14.0).
  answers: bytes('application/json', 200, 204),
  errors: ['conflict', 'too_large'],
  async run(ctx) {
    const { project, params, body } = ctx
    const file = fileAt(params.maven_path)
    if (file.checksum === undefined) {
      const { name, version } = packageOfFile(file)
      const wanted = { package_type: 'maven', name, version, file_name: file.file_name } as const
      await publishFile(ctx, project, body, wanted, { size: announcedSize(ctx), digests: ['sha1', 'md5'] })
      return { body: '', status: 200 }
    }
    const said = await digestIn(body)
    if (file.checksum === 'md5') return { body: '', status: 200 }
    const { file_sha1 } = await findFile(ctx, { projectId: project.id }, file)
    if (said !== file_sha1) throw conflict('409 Conflict')
    return { body: '', status: 204 }
  },
})

/** The digest that a body says: the first word of it. */
async function digestIn(body: Readable): Promise<string> {
  let text = ''
  try {
    for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk
      if (text.length > 1_000) throw badRequest('the body is no digest')
    }
  } catch (error) {
    throw isClientGone(error) ? badRequest('the body ended early') : error
  }
  return text.trim().split(/\s/)[0]?.toLowerCase() ?? ''
}
