/** The settings of a project or group as the place of a page: its tabs, and the sections beside the page. */
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { eitherPath, eitherPlace, type InEither, mayHere } from '../places/planning.ts'
import { groupSections, projectSections, type SettingsSection, sectionGroups } from './sections.ts'

/** The sections that the caller may open, in their order. */
export const sectionsFor = (ctx: Pick<Context, 'actor' | 'tier'> & InEither): readonly SettingsSection[] =>
  (ctx.project ? projectSections : groupSections).filter(({ can, tier }) => tierCovers(ctx.tier, tier) && mayHere(ctx, can))

/** The place of a page of the settings. `current`: the key of its section. */
export function settingsPlaceOf(ctx: Pick<Context, 'actor' | 'tier'> & InEither, current: string): Place {
  const sections = sectionsFor(ctx)
  const items = sections.map(({ key, group, label, icon, path }) => ({ key, group, label, icon, href: eitherPath(ctx, path) }))
  return {
    ...eitherPlace(ctx.actor, ctx, 'settings'),
    side: {
      label: 'Settings',
      search: { action: eitherPath(ctx, '/-/settings/search'), label: 'Find a setting' },
      current,
      groups: sectionGroups
        .map(title => ({ title, items: items.filter(({ group }) => group === title) }))
        .filter(group => group.items.length > 0),
    },
  }
}
