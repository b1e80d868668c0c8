/** Publications and withdrawals of gems: an archive that says what it is. */

import { Readable } from 'node:stream'
import type { Db } from '../../../../platform/db/connection.ts'
import { lockName } from '../../../../platform/db/statements/named_locks.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { conflict, notFound } from '../../../../platform/kernel/errors.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { addFile, keepReceived, mayPublishNamed, publishVersion, removeFile, removePackage } from '../../commands.ts'
import { filesOf, packageOfProject } from '../../queries.ts'
import { type Announced, announcedSize, receiveFile } from '../../receive.ts'
import { unfitPackage } from '../shared/published.ts'
import { fullName, type GemVersion, infoLine } from './documents.ts'
import { readGemspec } from './gemspec.ts'
import { bytesOfGems, type GemMetadata, gemFile } from './queries.ts'

/** The longest name that a file may have. */
const MOST_NAME = 255

/** Bytes of what all gems of a project say of themselves: indexes are made of it, in memory. A small gem may say much, since it is compressed. */
const MOST_SAID = 64 * 1024 * 1024

const fileName = (gem: GemVersion) => `${fullName(gem)}.gem`

/** Publishes a gem. @throws Refusal 400 for what is no gem; 409 where its file is published already, since lock files name its digest */
export const publishGem = (ctx: Context, project: Stored, source: Readable): Promise<void> =>
  receiveFile(ctx, project, source, announcedGem(ctx, project), async (received, counted) => {
    const gemspec = await readGemspec(await ctx.deps.objects.read(received.key))
    const { name, version, platform } = gemspec
    if (fileName(gemspec).length > MOST_NAME) throw unfitPackage('Name, version and platform are too long')
    const metadata: GemMetadata = { gemspec, platform, info: infoLine(gemspec, received.sha256) }
    await keepReceived(ctx, received, counted, async db => {
      const published = await publishVersion(db, ctx, project.id, { package_type: 'rubygems', name, version })
      await assertUnpublished(db, project, fullName(gemspec))
      const file = await addFile(db, ctx, published.package, fileName(gemspec), received, { metadata })
      if ((await bytesOfGems(db, project.id)) > MOST_SAID)
        throw unfitPackage(`the gems of the project would say more of themselves than ${MOST_SAID} bytes`)
      return { file }
    })
  })

const announcedGem = (ctx: Context, project: Stored): Announced => ({
  type: 'rubygems',
  size: announcedSize(ctx),
  admission: mayPublishNamed(ctx, project, 'rubygems', beginning => readGemspec(Readable.from([beginning]))),
})

/** Names with dashes may lead to one file from several gems, so the name of the file is what is locked. */
async function assertUnpublished(db: Db, { id }: Stored, name: string): Promise<void> {
  await lockName(db, 'gem file', id, name)
  if (await gemFile(db, id, name)) throw conflict('Repushing of gem versions is not allowed')
}

/** Deletes a gem, with its version where no other platform has it. @throws Refusal 404 where it is not published */
export async function withdrawGem(ctx: Context, project: Stored, gem: GemVersion): Promise<void> {
  const { db } = ctx
  const file = await gemFile(db, project.id, fullName(gem))
  // Another platform of the version may be published just now.
  if (file) await db.selectFrom('packages').select('id').where('id', '=', file.package_id).forUpdate().execute()
  const found = file && (await packageOfProject(db, project.id, file.package_id))
  if (!found || found.name !== gem.name || found.version !== gem.version) throw notFound('Package')
  const others = await filesOf(db, found.id).where('package_files.id', '<>', file.id).limit(1).execute()
  if (others.length === 0) await removePackage(ctx, found)
  else await removeFile(ctx, found, file)
}
