/** What the palette offers of the project or group in which it is opened: its pages, and settings, with one's own and those of the instance. */
import type { UserRow } from '../../identity/users/queries.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import type { Place, Tab } from '../../platform/pages/frame/place.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { adminPlace } from '../admin/place.ts'
import { instanceSettingsPages } from '../admin/settings/endpoints.ts'
import { ownNotifications } from '../notifications/settings.ts'
import { placeSettingsFound } from '../place_settings/search.ts'
import { eitherPlace, type InEither } from '../places/planning.ts'
import { preferencesPage } from '../settings/preferences.ts'
import { type FoundSetting, settingsFound } from '../settings_pages/search.ts'

/** The pages of a place, in their order: its tabs, what they lead to, and what stands beside its pages. */
const pagesOf = ({ tier }: Pick<Context, 'tier'>, { tabs, side, crumbs }: Place): readonly NearPage[] => {
  const where = crumbs.at(-1)?.label ?? ''
  const beside = side?.groups.flatMap(({ items }) => items) ?? []
  return [...tabs, ...beside]
    .filter(page => tierCovers(tier, page.tier))
    .flatMap(({ label, href, icon, below = [] }: Tab) => [
      { label, where, href, icon },
      ...below.map(page => ({ ...page, where: `${where} › ${label}`, icon })),
    ])
}

/** A page of the place around. */
export interface NearPage extends FoundSetting {
  readonly icon: IconName
}

/** The pages whose names have all of these words: of the place around, and of the administration for those who have it. */
export function pagesNear(ctx: Context, place: InEither | undefined, search: string): readonly NearPage[] {
  const words = search.toLowerCase().split(/\s+/)
  const pages = [
    ...(place ? pagesOf(ctx, eitherPlace(ctx.actor, place, '')) : []),
    ...(isAdmin(ctx.actor) ? pagesOf(ctx, adminPlace('', ctx)) : []),
  ]
  const found = pages.filter(({ label }) => words.every(word => label.toLowerCase().includes(word)))
  return found.filter(({ href }, at) => found.findIndex(other => other.href === href) === at)
}

/** The settings with these words. */
export async function settingsNear(ctx: Context, place: InEither | undefined, search: string): Promise<readonly FoundSetting[]> {
  return [
    ...(place ? await placeSettingsFound({ ...ctx, ...place }, search) : []),
    ...(ctx.actor.user
      ? await settingsFound({ ...ctx, user: ctx.actor.user as UserRow }, [preferencesPage, ownNotifications], search)
      : []),
    ...(isAdmin(ctx.actor) ? await settingsFound(ctx, instanceSettingsPages, search) : []),
  ]
}

/** The project or group whose page has this path (`/group/project/-/issues`), where the caller may see it. */
export async function placeAround({ db, actor }: Context, from: string): Promise<InEither | undefined> {
  const isGroup = from.startsWith('/groups/')
  const path = from
    .replace(/^\/(groups\/)?/, '')
    .replace(/(^|\/)-(\/.*)?$/s, '')
    .replace(/\/$/, '')
  // A number would be an id.
  if (path === '' || /^\d+$/.test(path)) return undefined
  const project = isGroup || !path.includes('/') ? undefined : await visibleProject(db, actor, path)
  if (project) return { project }
  const group = await visibleGroup(db, actor, path)
  return group && { group }
}
