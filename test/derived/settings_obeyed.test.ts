/**
 * Every switch of a project, a group and the instance has an effect: something reads it besides what takes, stores and shows it. What has none
 * stands on a list with its reason, and may not have one.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'
import { assertNothing, shipped } from './source_files.ts'

const kinds = {
  project: ['PUT /projects/:id', 'POST /projects'],
  group: ['PUT /groups/:id', 'POST /groups'],
  instance: ['PUT /application/settings'],
} as const

type Kind = keyof typeof kinds

const noRegistry = 'Ingot has no registry; stored for clients'
const noMirrors = 'Ingot does not pull mirrors; stored for clients'
const noMail = 'Ingot sends no mail; stored for clients'
const noAutoDevOps = 'Ingot has no Auto DevOps; stored for clients'

/** Switches without an effect, and why. May only shrink. */
const withoutEffect: Readonly<Record<string, string>> = {
  'project.packages_enabled': noRegistry,
  'project.container_registry_enabled': noRegistry,
  'project.mirror': noMirrors,
  'project.mirror_trigger_builds': noMirrors,
  'project.mirror_overwrites_diverged_branches': noMirrors,
  'project.only_mirror_protected_branches': noMirrors,
  'project.emails_disabled': noMail,
  'group.emails_disabled': noMail,
  'project.auto_devops_enabled': noAutoDevOps,
  'group.auto_devops_enabled': noAutoDevOps,
  'project.service_desk_enabled': 'Ingot takes no mail; stored for clients',
  'project.show_default_award_emojis': 'a matter of how a client shows an issue',
  'project.remove_source_branch_after_merge': 'the default of forms, not of the API (src/review/merge_requests/changes/create.ts)',
  'group.require_two_factor_authentication': 'there is no second factor (SECURITY.md)',
}

/** Where a switch is read that stands under one name for projects and for groups, or under another name. */
const readIn: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'project.lfs_enabled': ['src/code/lfs/scope.ts', 'project.lfs_enabled'],
  'group.lfs_enabled': ['src/code/lfs/scope.ts', "selectFrom('namespaces').select('lfs_enabled')"],
  'project.request_access_enabled': ['src/spaces/access_requests/endpoints.ts', 'project.request_access_enabled'],
  'group.request_access_enabled': ['src/spaces/access_requests/endpoints.ts', 'group.request_access_enabled'],
  // The former names of levels and of `public_jobs`.
  ...Object.fromEntries(
    ['issues_enabled', 'jobs_enabled', 'merge_requests_enabled', 'snippets_enabled', 'wiki_enabled', 'public_builds'].map(name => [
      `project.${name}`,
      ['src/spaces/projects/commands.ts', `?? ${name === 'public_builds' ? name : `level(${name})`}`] as const,
    ]),
  ),
}

/** Does a schema take true and false? */
function isSwitch(schema: object): boolean {
  const { type, anyOf } = schema as { readonly type?: unknown; readonly anyOf?: readonly object[] }
  return type === 'boolean' || (anyOf?.some(isSwitch) ?? false)
}

/** Each switch once, as `kind.name`. */
const switches = (kind: Kind): string[] => {
  const taken = endpoints.filter(({ method, path }) => (kinds[kind] as readonly string[]).includes(`${method} ${path}`))
  assert.equal(taken.length, kinds[kind].length)
  return [
    ...new Set(taken.flatMap(({ params }) => Object.entries(params).flatMap(([name, schema]) => (isSwitch(schema) ? [name] : [])))),
  ].map(name => `${kind}.${name}`)
}

/** Parameters of one request, which are kept nowhere. */
const ofTheRequest = new Set(['project.initialize_with_readme', 'project.skip_ci'])

const found = (Object.keys(kinds) as Kind[]).flatMap(switches).filter(name => !ofTheRequest.has(name))
const names = found.map(one => one.split('.')[1] as string)
const isShared = (name: string): boolean => names.filter(other => other === name).length > 1

/** A line that only takes, stores or shows the switch: a schema, a type, an entry of a presenter, a name in a list of columns. */
const declares = (name: string): RegExp =>
  new RegExp(
    `^(?:readonly )?(?:${name}\\??: (?:optional\\(|flag\\(|Nullable\\(|onTier\\(|Type\\.|row\\.|boolean)|'${name}',?$|import |//|/?\\*)`,
  )

/** Text for people in a line of code. */
const sentence = /'[A-Z][^']* [^']*'/g

/** Is the switch in a line of what is shipped that does something with it? */
function isRead(one: string): boolean {
  const name = one.split('.')[1] as string
  const place = readIn[one]
  if (place) return shipped.some(({ path, text }) => path === place[0] && text.includes(place[1]))
  const word = new RegExp(`\\b${name}\\b`)
  const declaration = declares(name)
  return shipped
    .filter(({ path }) => !path.endsWith('/db/schema.ts'))
    .some(({ text }) => text.split('\n').some(line => word.test(line.replace(sentence, '')) && !declaration.test(line.trim())))
}

test('every switch that the API takes is obeyed by something', () => {
  assert.ok(found.length > 30)
  assertNothing(
    found.filter(one => !(one in withoutEffect) && !isRead(one)),
    'the API takes and shows these switches, and nothing reads them: give them their effect, or refuse them',
  )
})

test('a switch that projects and groups both have is read for each of them', () => {
  assertNothing(
    found.filter(one => isShared(one.split('.')[1] as string) && !(one in withoutEffect) && !(one in readIn)),
    'one name says nothing here about which of the two is read: name the place in `readIn`',
  )
})

test('the list of switches without an effect names only such', () => {
  assertNothing(
    Object.keys(withoutEffect).filter(one => !found.includes(one) || (!isShared(one.split('.')[1] as string) && isRead(one))),
    'these switches have an effect now, or are gone: take them off the list',
  )
})
