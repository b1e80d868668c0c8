/**
 * Every setting of a project, a group and the instance has an effect, be it a switch, a number, a choice, a text or a list: something reads it
 * besides what takes, stores and shows it. What has none stands on a list with its reason, and may not have one.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'
import { assertNothing, shipped } from './source_files.ts'
import { withoutEffect } from './without_effect.ts'

const kinds = {
  project: ['PUT /projects/:id', 'POST /projects'],
  group: ['PUT /groups/:id', 'POST /groups'],
  instance: ['PUT /application/settings'],
} as const

type Kind = keyof typeof kinds

/** Where a setting is read that stands under one name for projects and for groups, or under another name. */
const readIn: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'project.lfs_enabled': ['src/code/lfs/scope.ts', 'project.lfs_enabled'],
  'group.lfs_enabled': ['src/spaces/groups/commands.ts', 'setLfsOfProjectsIn'],
  'project.repository_size_limit': ['src/spaces/storage_limits/queries.ts', 'p.repository_size_limit'],
  'instance.repository_size_limit': ['src/spaces/storage_limits/queries.ts', 's.repository_size_limit'],
  'project.request_access_enabled': ['src/spaces/access_requests/endpoints.ts', 'project.request_access_enabled'],
  'group.request_access_enabled': ['src/spaces/access_requests/endpoints.ts', 'group.request_access_enabled'],
  'project.shared_runners_enabled': ['src/ci/runners/queries.ts', 'shared_runners_enabled'],
  'instance.shared_runners_enabled': ['src/spaces/projects/commands.ts', 'settings.shared_runners_enabled'],
  'project.keep_latest_artifact': ['src/ci/artifacts/keeps_latest.ts', 'projects.keep_latest_artifact'],
  'instance.keep_latest_artifact': ['src/ci/artifacts/keeps_latest.ts', 'select keep_latest_artifact from application_settings'],
  'group.default_branch_protection': ['src/code/protected_branches/rights.ts', 'default_branch_protection'],
  'instance.default_branch_protection': ['src/spaces/groups/commands.ts', 'settings.default_branch_protection'],
  'project.emails_disabled': ['src/integrations/notifications/candidates.ts', 'not p.emails_disabled'],
  'group.emails_disabled': ['src/integrations/notifications/candidates.ts', 'up.emails_disabled'],
  ...Object.fromEntries(
    ['require_two_factor_authentication', 'two_factor_grace_period'].flatMap(name => [
      [`group.${name}`, ['src/platform/access/credentials/second_factor.ts', `g.${name}`] as const],
      [`instance.${name}`, ['src/platform/access/credentials/second_factor.ts', `a.${name}`] as const],
    ]),
  ),
  // The former names of levels and of `public_jobs`.
  ...Object.fromEntries(
    ['issues_enabled', 'jobs_enabled', 'merge_requests_enabled', 'snippets_enabled', 'wiki_enabled', 'public_builds'].map(name => [
      `project.${name}`,
      ['src/spaces/projects/commands.ts', `?? ${name === 'public_builds' ? name : `level(${name})`}`] as const,
    ]),
  ),
}

/** Each setting once, as `kind.name`. */
const settingsOf = (kind: Kind): string[] => {
  const taken = endpoints.filter(({ method, path }) => (kinds[kind] as readonly string[]).includes(`${method} ${path}`))
  assert.equal(taken.length, kinds[kind].length)
  return [...new Set(taken.flatMap(({ params }) => Object.keys(params)))].map(name => `${kind}.${name}`)
}

/** Parameters of one request, which are kept nowhere; and what a project or a group is, which is no setting. */
const noSettings: ReadonlySet<string> = new Set([
  ...['initialize_with_readme', 'skip_ci', 'import_url', 'namespace_id', 'mirror_user_id'].map(name => `project.${name}`),
  ...['name', 'path', 'description', 'avatar', 'topics', 'tag_list', 'visibility'].map(name => `project.${name}`),
  ...['name', 'path', 'description', 'avatar', 'visibility', 'parent_id'].map(name => `group.${name}`),
])

const found = (Object.keys(kinds) as Kind[]).flatMap(settingsOf).filter(name => !noSettings.has(name))
const names = found.map(one => one.split('.')[1] as string)
const isShared = (name: string): boolean => names.filter(other => other === name).length > 1

/** The feature whose level this is: abilities name it. */
const featureOf = (name: string): string | undefined => /^(\w+)_access_level$/.exec(name)?.[1]

/** A line that only takes, stores or shows the setting: a schema, a type, an entry of a presenter, a name in a list of columns. */
const declares = (name: string): RegExp =>
  new RegExp(
    `^(?:readonly )?(?:${name}\\??: (?:\\w*[sS]chema|optional\\(|flag\\(|text\\(|integer\\(|level\\(|OneOf\\(|CommaList\\(|Nullable\\(|longestLife\\(|runnerTokenLife\\(|onTier\\(|needs\\(|only\\(|Type\\.|row\\.|boolean|string|number)|'${name}',?$|import |//|/?\\*)`,
  )

/** Text for people in a line of code. */
const sentence = /'[A-Z][^']* [^']*'/g

/** The pages that show the settings and take them. */
const isForm = /^src\/portal\/\w+\/settings\//

/** The tables of abilities. */
const abilities = 'src/platform/access/rules/of_'

/** Is the setting in a line of what is shipped that does something with it? */
function isRead(one: string): boolean {
  const name = one.split('.')[1] as string
  const place = readIn[one]
  if (place) return shipped.some(({ path, text }) => path === place[0] && text.includes(place[1]))
  const feature = featureOf(name)
  if (feature !== undefined) return shipped.some(({ path, text }) => path.startsWith(abilities) && text.includes(`'${feature}'`))
  const word = new RegExp(`\\b${name}\\b`)
  const declaration = declares(name)
  return shipped
    .filter(({ path }) => !path.endsWith('/db/schema.ts') && !isForm.test(path))
    .some(({ text }) => text.split('\n').some(line => word.test(line.replace(sentence, '')) && !declaration.test(line.trim())))
}

test('every setting that the API takes is obeyed by something', () => {
  assert.ok(found.length > 90)
  assertNothing(
    found.filter(one => !(one in withoutEffect) && !isRead(one)),
    'the API takes and shows these settings, and nothing reads them: give them their effect, or refuse them',
  )
})

test('a setting that several of them have is read for each', () => {
  assertNothing(
    found.filter(one => isShared(one.split('.')[1] as string) && !(one in withoutEffect) && !(one in readIn)),
    'one name says nothing here about which of the two is read: name the place in `readIn`',
  )
})

test('the list of settings without an effect names only such', () => {
  // Those of the instance are read by their column alone, and have names that are words elsewhere.
  const isUsed = (one: string) => !one.startsWith('instance.') && !isShared(one.split('.')[1] as string) && isRead(one)
  assertNothing(
    Object.keys(withoutEffect).filter(one => !found.includes(one) || isUsed(one)),
    'these settings have an effect now, or are gone: take them off the list',
  )
})

test('nothing but the API reads what is kept of settings without an effect', () => {
  assertNothing(
    shipped
      .filter(({ path, text }) => !path.startsWith('src/platform/application_settings/') && /settings\.inert\b|inertDefaults/.test(text))
      .map(({ path }) => path),
    'these settings have an effect then: make them columns of their own',
  )
})
