/** Where projects and groups can be imported from: the links that the forms share. */
import type { ImportSourceName } from '../../platform/application_settings/import_sources.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'

interface ImportWay {
  readonly href: string
  readonly label: string
  /** The setting that may switch it off. */
  readonly source?: ImportSourceName
}

export const MIGRATIONS = '/import/bulk_imports'

const fromServer: ImportWay = { href: `${MIGRATIONS}/new`, label: 'Another server' }

const projectWays: readonly ImportWay[] = [
  { href: '/projects/import', label: 'Repository', source: 'git' },
  { href: '/import/gitlab_project/new', label: 'Archive', source: 'gitlab_project' },
  { href: '/import/gitlab_project/remote', label: 'Archive at an address', source: 'gitlab_project' },
  { href: '/import/github/new', label: 'GitHub', source: 'github' },
  fromServer,
]

const groupWays: readonly ImportWay[] = [{ href: '/import/gitlab_group/new', label: 'Archive' }, fromServer]

/** Links to the other ways, of which `current` is open; where it is switched off that is said. */
async function waysView({ db }: Pick<Context, 'db'>, ways: readonly ImportWay[], current: string): Promise<Html> {
  const { import_sources } = await applicationSettings(db)
  const isOpen = ({ source }: ImportWay) => source === undefined || import_sources.includes(source)
  const isOff = ways.some(way => way.href === current && !isOpen(way))
  return html`<nav class="subnav" aria-label="Import from">${ways.filter(way => isOpen(way) || way.href === current).map(({ href, label }) => html`<a href="${href}"${href === current && html` aria-current="page"`}>${label}</a>`)}</nav>
${isOff && html`<p class="notice attention">${icon('alert')}<span>An administrator of this server has switched off imports from here.</span></p>`}`
}

/** The ways for projects. `current`: the address of the form that is open. */
export const projectWaysView = (ctx: Pick<Context, 'db'>, current: string): Promise<Html> => waysView(ctx, projectWays, current)

/** The ways for groups. */
export const groupWaysView = (ctx: Pick<Context, 'db'>, current: string): Promise<Html> => waysView(ctx, groupWays, current)
