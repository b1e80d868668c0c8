/** The settings that the palette offers: those of the project or group in which it is opened, one's own, and those of the instance. */
import type { UserRow } from '../../identity/users/queries.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { instanceSettingsPages } from '../admin/settings/endpoints.ts'
import { placeSettingsFound } from '../place_settings/search.ts'
import type { InEither } from '../places/planning.ts'
import { preferencesPage } from '../settings/preferences.ts'
import { type FoundSetting, settingsFound } from '../settings_pages/search.ts'

/** The settings with these words. @param from the path of a page: `/group/project/-/issues` */
export async function settingsNear(ctx: Context, search: string, from: string): Promise<readonly FoundSetting[]> {
  const place = await placeAround(ctx, from)
  return [
    ...(place ? await placeSettingsFound({ ...ctx, ...place }, search) : []),
    ...(ctx.actor.user ? await settingsFound({ ...ctx, user: ctx.actor.user as UserRow }, [preferencesPage], search) : []),
    ...(isAdmin(ctx.actor) ? await settingsFound(ctx, instanceSettingsPages, search) : []),
  ]
}

/** The project or group whose page has this path, where the caller may see it. */
async function placeAround({ db, actor }: Context, from: string): Promise<InEither | undefined> {
  const isGroup = from.startsWith('/groups/')
  const path = from
    .replace(/^\/(groups\/)?/, '')
    .replace(/(^|\/)-(\/.*)?$/, '')
    .replace(/\/$/, '')
  // A number would be an id.
  if (path === '' || /^\d+$/.test(path)) return undefined
  const project = isGroup || !path.includes('/') ? undefined : await visibleProject(db, actor, path)
  if (project) return { project }
  const group = await visibleGroup(db, actor, path)
  return group && { group }
}
