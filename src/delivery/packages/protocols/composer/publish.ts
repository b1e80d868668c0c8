/** Publications for Composer: a tag or a branch of the repository becomes a version, by the `composer.json` of its commit. */

import { peelTag } from '../../../../code/repository/tags/queries.ts'
import { parseJson } from '../../../../platform/bounded_json.ts'
import { lockName } from '../../../../platform/db/statements/named_locks.ts'
import {
  entryAt,
  isValidShortName,
  keepAround,
  type ObjectId,
  type Repository,
  readBlob,
  resolveCommit,
} from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { notFound, unprocessable } from '../../../../platform/kernel/errors.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { describePackage, publishVersion } from '../../commands.ts'
import { isKeepable, unfitPackage } from '../shared/published.ts'
import { composerMetadataOf } from './metadata.ts'

/** What becomes a version: one of the two. */
export interface Source {
  readonly tag?: string | undefined
  readonly branch?: string | undefined
}

/** Bytes that a `composer.json` may have. */
const MOST_READ = 256 * 1024

/** Bytes of what is kept of it, as JSON. Large ones have some ten thousand; indexes have those of all versions. */
const MOST_KEPT = 64 * 1024

const NAME = /^[a-z0-9]+([_.-][a-z0-9]+)*\/[a-z0-9]+(([_.]|-{1,2})[a-z0-9]+)*$/i

/** The version that a tag is: `v1.2.3` is `1.2.3`. */
const versionOfTag = (tag: string): string | undefined => /^v?(\d+(?:\.(?:\d+|x))*(?:-.+)?)$/.exec(tag)?.[1]

/** The version that a branch is: `1.2` is `1.2.x-dev`, and `main` is `dev-main`. */
const versionOfBranch = (branch: string): string => {
  const [, numbers] = /^v?(\d+(?:\.\d+)*)(?:\.x)?$/.exec(branch) ?? []
  return numbers === undefined ? `dev-${branch}` : `${numbers}.x-dev`
}

/** @throws Refusal 404 for a tag or branch that is not there */
async function targetOf(repository: Repository | undefined, { tag, branch }: Source): Promise<ObjectId> {
  if (tag !== undefined) {
    const found = repository && (await peelTag(repository, tag))
    if (!found) throw notFound('Tag')
    return found.commit
  }
  const commit =
    repository && branch !== undefined && isValidShortName(branch) ? await resolveCommit(repository, `refs/heads/${branch}`) : undefined
  if (!commit) throw notFound('Branch')
  return commit
}

/** @throws Refusal 422 where the commit has no such file, or one that is no JSON */
async function composerJson(repository: Repository, commit: ObjectId): Promise<Readonly<Record<string, unknown>>> {
  const entry = await entryAt(repository, commit, 'composer.json')
  if (entry?.type !== 'blob') throw unprocessable('The file composer.json was not found')
  const text = (await readBlob(repository, entry.id, MOST_READ)).toString('utf8')
  try {
    const value = parseJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below, as for every other text.
  }
  throw unprocessable('Could not parse composer.json file. Invalid JSON.')
}

/** Publishes a tag or branch. One that is published already becomes what its commit is now. */
export async function publishByComposer(ctx: Context, project: Stored, repository: Repository | undefined, source: Source): Promise<void> {
  const { db } = ctx
  const commit = await targetOf(repository, source)
  const json = await composerJson(repository as Repository, commit)
  if (!isKeepable(json, MOST_KEPT)) throw unfitPackage(`composer.json cannot be kept, or says more than ${MOST_KEPT} bytes`)
  const { name } = json
  if (typeof name !== 'string' || name.length > 255 || !NAME.test(name)) throw unfitPackage('Name is invalid')
  const version = source.tag !== undefined ? versionOfTag(source.tag) : versionOfBranch(source.branch as string)
  if (version === undefined || version.length > 255) throw unfitPackage('Version is invalid')
  await assertOwnName(ctx, project.id, name.toLowerCase())
  const metadata = composerMetadataOf(json, commit)
  const wanted = { package_type: 'composer', name, lookup_name: name.toLowerCase(), version, metadata } as const
  const published = await publishVersion(db, ctx, project.id, wanted)
  if (!published.isNew) await describePackage(db, published.package.id, metadata)
  // The archive is made of it, even where the tag or branch is gone.
  await keepAround(repository as Repository, [commit])
}

/** Contract: a name of Composer is of one project on the instance (public behaviour at 14.0). */
async function assertOwnName({ db }: Context, projectId: number, name: string): Promise<void> {
  await lockName(db, 'composer name', name)
  const other = await db
    .selectFrom('packages')
    .select('id')
    .where('package_type', '=', 'composer')
    .where('lookup_name', '=', name)
    .where('project_id', '<>', projectId)
    .limit(1)
    .executeTakeFirst()
  if (other) throw unfitPackage('Name is already taken by another project')
}
