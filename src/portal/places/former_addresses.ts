/**
 * Addresses of pages as other releases of the platform have them. Links in old comments, in manuals and in the output of clients lead to where the pages are.
 * Pure: what is private is led like what does not exist.
 */
import { isReservedAtTop } from '../../identity/paths/names.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'

/** A path, and the address of its page now, with the groups of the pattern. */
type Former = readonly [path: RegExp, now: string | ((...groups: readonly string[]) => string)]

/** A name in a path as a part of a query, where a plus sign stands for a space. */
const inQuery = (name: string): string => name.replaceAll('+', '%2B').replaceAll('&', '%26')

/** First words of the pages of a project. Until release 12 they followed its path without `/-/`, and some still did at 14.0. */
const ofProjects =
  'activity|archive|artifacts|blame|blob|boards|branches|builds|commit|commits|compare|container_registry|cycle_analytics|deploy_keys|deployments|edit|environments|find_file|forks|graphs|hooks|issues|jobs|labels|merge_requests|milestones|network|packages|pages|pipeline_schedules|pipelines|project_members|protected_branches|protected_tags|raw|releases|runners|services|settings|snippets|starrers|tags|tree|triggers|variables|wikis'

/** The same of groups. */
const ofGroups = 'activity|boards|edit|epics|group_members|issues|labels|merge_requests|milestones|roadmap|runners|settings|variables'

const former: readonly Former[] = [
  // A user’s own settings.
  [/^\/profile(\/.*)?$/, '/-/profile$1'],
  [/^\/-\/profile\/(?:account|two_factor_auth)$/, '/-/profile/two_factor'],
  [/^\/-\/user_settings\/profile$/, '/-/profile'],
  [/^\/-\/user_settings\/ssh_keys$/, '/-/profile/keys'],
  [/^\/-\/user_settings\/(active_sessions|applications|gpg_keys|identities|personal_access_tokens|password\/edit)$/, '/-/profile/$1'],
  [/^\/\.well-known\/change-password$/, '/-/profile/password/edit'],
  // Lists of the instance.
  [/^\/dashboard\/projects\/starred$/, '/dashboard/projects?filter=starred'],
  [/^\/dashboard\/snippets$/, '/-/snippets'],
  [/^\/explore\/projects\/(?:starred|trending)$/, '/explore/projects'],
  [/^\/public(?:\/projects)?$/, '/explore/projects'],
  [/^\/groups$/, '/explore/groups'],
  [/^\/snippets(\/.*)?$/, '/-/snippets$1'],
  // Accounts.
  [/^\/u\/([^/]+)$/, '/$1'],
  // What has to do with signing in is not there on some servers, and on hosts of sites.
  [/^\/users\/(?!(?:auth|confirmation|impersonation|passkeys|password|sign_in|sign_out|sign_up|two_factor|unlock)$)([^/]+)$/, '/$1'],
  [/^\/users\/([^/]+)\/(?:calendar|contributed|followers|following|groups|projects|snippets)$/, '/$1'],
  // Administration.
  [/^\/admin\/appearance$/, '/admin/application_settings/appearance'],
  [/^\/admin\/application_settings\/integrations$/, '/admin/integrations'],
  [/^\/admin\/application_settings\/(?:metrics_and_profiling|network|preferences|reporting)$/, '/admin/application_settings'],
  [/^\/admin\/(?:health_check|logs)$/, '/admin/system_info'],
  // The editor.
  [/^\/-\/ide\/project\/(.+?)\/(?:blob|edit|tree)\/([^/]+)\/-\/(.+)$/s, '/$1/-/edit/$2/$3'],
  [/^\/-\/ide\/project\/(.+?)\/(?:blob|edit|tree)\/([^/]+)(?:\/-)?\/?$/, '/$1/-/tree/$2'],
  [/^\/-\/ide\/project\/(.+?)\/merge_requests\/(\d+)$/, '/$1/-/merge_requests/$2'],
  [/^\/-\/ide\/project\/([^/]+(?:\/[^/]+)+)$/, '/$1'],
  // Groups.
  [/^\/groups\/(.+)\/-\/(?:archived|details|inactive|shared)$/, '/groups/$1'],
  [/^\/groups\/(.+)\/-\/settings\/packages_and_registries$/, '/groups/$1/-/settings/dependency_proxy'],
  // Projects. What is cloned is also opened in browsers.
  [/^\/(.+\/[^/]+)\.wiki\.git$/, '/$1/-/wikis'],
  [/^\/(.+\/[^/]+)\.git$/, '/$1'],
  [/^\/(.+)\/-\/archive\/([^/]+)\.(zip|tar|tar\.gz|tar\.bz2)$/, '/$1/-/archive/$2/$2.$3'],
  [/^\/(.+)\/-\/(blob|commits|find_file|graphs|network|tree)$/, '/$1/-/$2/HEAD'],
  [/^\/(.+)\/-\/branches\/all$/, '/$1/-/branches'],
  [/^\/(.+)\/-\/branches\/(active|stale)$/, '/$1/-/branches?state=$2'],
  [/^\/(.+)\/-\/builds(\/.*)?$/s, '/$1/-/jobs$2'],
  [/^\/(.+)\/-\/cycle_analytics$/, '/$1/-/value_stream_analytics'],
  [/^\/(.+)\/-\/(deploy_keys|protected_branches|protected_tags)$/, '/$1/-/settings/$2'],
  [/^\/(.+)\/-\/deployments$/, '/$1/-/environments'],
  [/^\/(.+)\/-\/incidents$/, '/$1/-/issues'],
  [/^\/(.+)\/-\/infrastructure_registry$/, '/$1/-/packages?package_type=terraform_module'],
  [/^\/(.+)\/-\/(?:issues\/incident|work_items)\/(\d+)$/, '/$1/-/issues/$2'],
  [/^\/(.+)\/-\/pipelines\/(\d+)\/builds$/, '/$1/-/pipelines/$2'],
  [/^\/(.+)\/-\/services\/([^/]+)\/edit$/, '/$1/-/settings/integrations/$2/edit'],
  [/^\/(.+)\/-\/settings\/members$/, '/$1/-/project_members'],
  [/^\/(.+)\/-\/settings\/packages_and_registries$/, '/$1/-/settings/repository'],
  // A tag has no page of its own: the list has all that there is of it.
  [/^\/(.+)\/-\/tags\/(?!new$)(.+)$/s, (_path, project = '', name = '') => `/${project}/-/tags?search=%5E${inQuery(name)}%24`],
]

/** Pages of a group or project without `/-/`; the path of a project has two segments at least. */
const undashed = [
  new RegExp(`^/(groups/[^/]+(?:/[^/]+)*?)/(${ofGroups})(?=[/.]|$)(.*)$`, 's'),
  new RegExp(`^/([^/]+(?:/[^/]+)+?)/(${ofProjects})(?=[/.]|$)(.*)$`, 's'),
]

function pathNow(path: string): string | undefined {
  for (const [pattern, now] of former) if (pattern.test(path)) return path.replace(pattern, now as string)
  if (path.includes('/-/')) return undefined
  const [ofGroup, ofProject] = undashed
  const [, place, word, rest] = ofGroup?.exec(path) ?? ofProject?.exec(path) ?? []
  const first = place?.split('/', 1)[0] ?? ''
  return place === undefined || (first !== 'groups' && isReservedAtTop(first)) ? undefined : `/${place}/-/${word}${rest}`
}

/**
 * The address of the page that a former address, with its query, is for; undefined for every other address. It is a path of this server.
 * @param address as it was asked for, with its escapes
 */
export function presentAddress(address: string): string | undefined {
  const [path = '', query = ''] = address.split(/\?(.*)/s, 2)
  const found = pathNow(path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, ''))
  const now = found === undefined ? '' : localPath(found, '')
  if (now === '') return undefined
  const whole = query === '' ? now : `${now}${now.includes('?') ? '&' : '?'}${query}`
  // Some words have changed twice.
  return presentAddress(whole) ?? whole
}
