/** Changelogs of a version from the trailers of commits (repositories API at 14.0). */
import { setImmediate } from 'node:timers/promises'
import { createCommit } from '../../code/repository/commits/commands.ts'
import { entryAt, lastCommitFor, listTags, type ObjectId, type Repository, readBlob, resolveCommit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { unprocessable } from '../../platform/kernel/errors.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { type ChangelogConfig, CONFIG_PATH, configOf, formatDate, MOST_CONFIG } from './config.ts'
import { categoriesOf } from './entries.ts'
import { withSection } from './section.ts'
import { Template, TemplateError } from './template.ts'
import { compareVersions, type Version, versionOf } from './versions.ts'

/** What a changelog is made of. */
export interface ChangelogInput {
  readonly version: string
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly date?: string | undefined
  readonly trailer: string
}

const failed = (reason: string) => unprocessable(`Failed to generate the changelog: ${reason}`)

/** Bytes of a changelog that is added to. */
const MOST_FILE = 10_000_000

/** The text of a file in a commit; undefined where there is none. */
async function textAt(repository: Repository, commit: ObjectId, path: string, limit: number): Promise<string | undefined> {
  const entry = await entryAt(repository, commit, path)
  if (entry?.type !== 'blob') return undefined
  return (await readBlob(repository, entry.id, limit)).toString('utf8')
}

/** Steps of a regular expression over characters: after how many others get a turn, and how many a changelog is worth. */
const STEPS = { turn: 1_000_000, most: 200_000_000 }

/** The commit of the tag of the last release before a version. */
async function lastReleaseBefore(repository: Repository, version: Version, { tagPattern }: ChangelogConfig): Promise<ObjectId | undefined> {
  let last: { readonly version: Version; readonly commit: ObjectId } | undefined
  let [steps, turn] = [0, 0]
  for (const { name, commit } of await listTags(repository)) {
    steps += name.length * tagPattern.programSize()
    if (steps > STEPS.most) throw new TemplateError('tag_regex takes too long for all tags')
    if (steps - turn > STEPS.turn) {
      turn = steps
      await setImmediate()
    }
    const match = tagPattern.matcher(name)
    if (!match.find()) continue
    const named = Object.keys(tagPattern.namedGroups())
    const part = (group: string): string | undefined => (named.includes(group) ? (match.group(group) ?? undefined) : undefined)
    const [major, minor, patch, pre] = ['major', 'minor', 'patch', 'pre'].map(part)
    // Contract: tags of pre-releases are not looked at.
    const tagged = pre ? undefined : versionOf(`${major}.${minor}.${patch}`)
    if (tagged && compareVersions(tagged, version) < 0 && (!last || compareVersions(last.version, tagged) < 0))
      last = { version: tagged, commit }
  }
  return last?.commit
}

/** The section of a version. @throws unprocessable with what is wrong */
async function sectionOf(ctx: Context, project: ProjectRow, repository: Repository, tip: ObjectId, input: ChangelogInput): Promise<string> {
  const version = versionOf(input.version) as Version
  try {
    const config = await configOf(await textAt(repository, tip, CONFIG_PATH, MOST_CONFIG))
    const template = new Template(config.template)
    const commitOf = async (name: string): Promise<ObjectId> => {
      const commit = await resolveCommit(repository, name)
      if (!commit) throw new TemplateError(`there is no commit ${name}`)
      return commit
    }
    const from = input.from ? await commitOf(input.from) : await lastReleaseBefore(repository, version, config)
    if (!from) throw new TemplateError('The commit range has no beginning, and there is no tag of an earlier version to begin at')
    const range = { from, to: input.to ? await commitOf(input.to) : tip, trailer: input.trailer }
    const categories = await categoriesOf(ctx.db, project, repository, range, config)
    const day = formatDate(input.date === undefined ? ctx.now : new Date(input.date), config.dateFormat)
    return `## ${input.version.replace(/^v/, '')} (${day})\n\n${template.render({ categories }).trimEnd()}\n`
  } catch (error) {
    if (error instanceof TemplateError) throw failed(error.message)
    throw error
  }
}

/** The changelog of a version, as it would be added to the file. */
export async function changelogNotes(
  ctx: Context,
  project: ProjectRow,
  repository: Repository | undefined,
  input: ChangelogInput,
): Promise<string> {
  const tip = repository && (await resolveCommit(repository, input.to ?? project.default_branch ?? 'HEAD'))
  if (!repository || !tip) throw failed('The repository has no commits')
  return sectionOf(ctx, project, repository, tip, input)
}

/** Adds the changelog of a version to a file, by a commit on a branch. */
export async function addChangelog(
  ctx: Context,
  project: ProjectWithRole,
  repository: Repository | undefined,
  input: ChangelogInput & { readonly branch?: string | undefined; readonly file: string; readonly message?: string | undefined },
): Promise<void> {
  const branch = input.branch ?? project.default_branch ?? 'HEAD'
  const tip = repository && (await resolveCommit(repository, `refs/heads/${branch}`))
  if (!repository || !tip) throw failed(`There is no branch ${branch}`)
  const section = await sectionOf(ctx, project, repository, tip, input)
  const before = await textAt(repository, tip, input.file, MOST_FILE)
  const content = Buffer.from(withSection(before ?? '', versionOf(input.version) as Version, section))
  const common = { file_path: input.file, content }
  // The file as it was read: what a push brings meanwhile is not overwritten.
  const last = before === undefined ? undefined : await lastCommitFor(repository, tip, input.file)
  await createCommit(ctx, project, {
    branch,
    commit_message: input.message ?? `Add changelog for version ${input.version}`,
    actions: [last ? { action: 'update', ...common, last_commit_id: last.id } : { action: 'create', ...common }],
  })
}
