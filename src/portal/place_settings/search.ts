/** The search for settings of a project or group: the sections, and the settings on their pages. */
import type { Context } from '../../platform/kernel/context.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { groupSettingsPages } from '../groups/settings/endpoints.ts'
import { eitherPath, type InEither } from '../places/planning.ts'
import { projectSettingsPages } from '../projects/settings/endpoints.ts'
import { type FoundSetting, hasAll, settingsFound, wordsOf } from '../settings_pages/search.ts'
import { searchView } from '../settings_pages/search_view.ts'
import { sectionsFor, settingsPlaceOf } from './place.ts'

/** The settings of the project or group that have the words, and the pages that are called so. */
export async function placeSettingsFound({ project, group, ...ctx }: Context & InEither, search: string): Promise<readonly FoundSetting[]> {
  const found = project
    ? await settingsFound({ ...ctx, project }, projectSettingsPages, search)
    : await settingsFound({ ...ctx, group: group as NonNullable<typeof group> }, groupSettingsPages, search)
  const words = wordsOf(search)
  const pages = sectionsFor({ ...ctx, project, group })
    .filter(
      ({ label, group: heading }) => words.length > 0 && hasAll(`${heading} ${label}`, words) && words.some(word => hasAll(label, [word])),
    )
    .map(({ label, group: heading, path }) => ({ label, where: heading, href: eitherPath({ project, group }, path) }))
  return [...pages, ...found]
}

const params = { search: text('Words of the setting', { maxLength: 255, default: '' }) }

async function answer(ctx: Context & InEither, search: string) {
  return page(ctx, {
    title: 'Find a setting',
    place: settingsPlaceOf(ctx, 'search'),
    width: 'medium',
    body: searchView(eitherPath(ctx, '/-/settings/search'), search, await placeSettingsFound(ctx, search.trim())),
  })
}

export const searchProjectSettings = pageEndpoint({
  route: 'GET /:project_path/-/settings/search',
  summary: 'Find settings of a project',
  scope: inProjectPage,
  can: 'admin_project',
  params,
  run: ctx => answer(ctx, ctx.params.search),
})

export const searchGroupSettings = pageEndpoint({
  route: 'GET /groups/:group_path/-/settings/search',
  summary: 'Find settings of a group',
  scope: inGroupPage,
  can: 'admin_group',
  params,
  run: ctx => answer(ctx, ctx.params.search),
})
