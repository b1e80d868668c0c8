/** Publications by Conan: one request for each file of a recipe or of a package. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Context } from '../../../../platform/kernel/context.ts'
import { one } from '../../../../platform/kernel/declaration/endpoint.ts'
import { badRequest, notFound } from '../../../../platform/kernel/errors.ts'
import { isStorable } from '../../../../platform/kernel/request/params.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { addFile, keepReceived, mayPublish, publishVersion, removeFiles, removePackage } from '../../commands.ts'
import { type PackageRow, packageFiles } from '../../queries.ts'
import { announcedSize, type Received, receiveFile } from '../../receive.ts'
import { unfitPackage } from '../shared/published.ts'
import { PublishedPackageFile } from '../shared/published_file.ts'
import { MOST_INFO } from './info.ts'
import { INFO, lookupName, NONE, type Recipe, recipeFolder } from './names.ts'
import { filesOfPart, type Part } from './queries.ts'

/** @throws Refusal 400 for a user without a channel, or the other way round (public behaviour at 14.0) */
function assertWhole({ username, channel }: Recipe): void {
  const lacking = username === NONE && channel !== NONE ? 'username' : channel === NONE && username !== NONE ? 'channel' : undefined
  if (lacking !== undefined) throw badRequest(`${lacking} can't be solely blank`)
}

/** What a `conaninfo.txt` says, which lists of packages have. @throws Refusal 400 for one that is no text */
async function infoIn({ deps }: Context, { key, size }: Received): Promise<string> {
  if (size > MOST_INFO) throw unfitPackage(`${INFO} is too large (maximum is ${MOST_INFO} bytes)`)
  const content = (await buffer(await deps.objects.read(key))).toString('utf8')
  if (!isStorable(content)) throw unfitPackage(`${INFO} is no text`)
  return content
}

/** What the declarations of all publications share. */
export const publication = { rawBody: true, writes: 'own', answers: one(PublishedPackageFile), errors: ['too_large'] } as const

interface Publication extends Context {
  readonly body: Readable
  readonly project: Stored & { readonly full_path: string }
  readonly recipe: Recipe
  readonly params: { readonly file_name: string }
}

/**
 * Publishes a file of a recipe or package.
 * @param folder where it is kept
 * @returns what is answered
 * @throws Refusal 400 where it is not the file whose SHA-1 the client says; 404 for a client that asks whether the bytes are here already
 */
export async function publishConanFile(ctx: Publication, folder: string) {
  const { project, recipe, request } = ctx
  const { headers } = request
  const { file_name } = ctx.params
  // Contract: a request without a file comes first; who is answered that there is none sends it (protocol of Conan, checksum deploy).
  if (headers['x-checksum-deploy'] !== undefined) throw notFound('File')
  assertWhole(recipe)
  const { name, version, username, channel } = recipe
  const wanted = { package_type: 'conan', name, lookup_name: lookupName(recipe), version, metadata: { username, channel } } as const
  const announced = {
    type: 'conan',
    size: announcedSize(ctx),
    digests: ['md5', 'sha1'],
    assertAllowed: mayPublish(ctx, project, wanted),
  } as const
  const said = headers['x-checksum-sha1']
  const { file } = await receiveFile(ctx, project, ctx.body, announced, async (received, counted) => {
    if (typeof said === 'string' && said.toLowerCase() !== received.digests.sha1)
      throw badRequest('The sha1 of the file is not the one announced')
    const about = { channel: folder, ...(file_name === INFO && { metadata: { content: await infoIn(ctx, received) } }) }
    return keepReceived(ctx, received, counted, async db => {
      const published = await publishVersion(db, ctx, project.id, wanted)
      return { file: await addFile(db, ctx, published.package, file_name, received, about) }
    })
  })
  return { file, projectPath: project.full_path }
}

/**
 * Deletes a part of a recipe, and the recipe where nothing of it is left.
 * @throws Refusal 404 where there is no such part, 403 where the recipe is protected
 */
export async function removePart(ctx: Context, published: PackageRow, part: Part): Promise<void> {
  const { db } = ctx
  const { id } = published
  await db.selectFrom('packages').select('id').where('id', '=', id).forUpdate().execute()
  const files = await filesOfPart(db, id, part)
  if (files.length === 0) throw notFound('Package')
  const left = await packageFiles(db)
    .where('package_files.package_id', '=', id)
    .where(sql<boolean>`package_files.id <> all(${files.map(file => file.id)}::bigint[])`)
    .limit(1)
    .executeTakeFirst()
  if (left) await removeFiles(ctx, published, files)
  else await removePackage(ctx, published)
}

/** All of a revision of a recipe, with its packages. */
export const wholeRevision = (revision: string): Part => ({ below: recipeFolder(revision).slice(0, -'export'.length) })
