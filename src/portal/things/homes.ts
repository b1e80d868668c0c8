/** Where things are managed: the settings of a project or of a group. The API's scopes serve there, by the addresses of pages. */
import type { TProperties } from 'typebox'
import type { Ability, SubjectKind } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { notFound, Refusal } from '../../platform/kernel/errors.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { followGroup, inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { followProject, inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import { eitherPath, type InEither, mayHere } from '../places/planning.ts'

/** The place of pages that manage things. `S`: what its scope gives. */
export interface Home<S extends object> {
  /** What the routes of its pages begin with. */
  readonly route: string
  /** As in "of a project"; nothing where they are one's own. */
  readonly noun: string
  /** What the addresses of its pages begin with. */
  pathOf(subjects: S): string
  /** The id of the place, by which its lists are followed. Not of one's own. */
  readonly idOf?: (subjects: S) => number
  /** @param current the key of a page */
  placeOf(ctx: Context & S, current: string): Place
  may(ctx: Context & S, ability: Ability): boolean
  /** What is needed to see a list, where the API shows it to more people. */
  readonly can?: Ability
  /** A scope of the API by the addresses of these pages. It gives what it gives there. */
  // biome-ignore lint/suspicious/noExplicitAny: what it gives is the declarations' own affair
  inPage<Given extends object>(api: Scope<Given>): Scope<any>
}

/** A scope of the API whose `:id` is a place, with the full path of the place as the addresses of pages have it. */
function byPath<S extends object, On extends SubjectKind>(
  api: Scope<S, TProperties, On>,
  {
    path: [name, schema],
    noun,
    isPath,
    follow,
  }: {
    path: readonly [string, TProperties[string]]
    noun: string
    isPath: (path: string) => boolean
    /** Leads to the page by the path that the place has now, where it has left this one. */
    follow: (ctx: Context, path: string) => Promise<void>
  },
): Scope<S, TProperties, On> {
  const { id: _, ...rest } = api.path
  return {
    name: `${api.name}Page`,
    path: { [name]: schema, ...rest },
    async load(ctx, path) {
      const { [name]: full, ...others } = path as Record<string, unknown>
      if (!isPath(String(full))) throw notFound(noun)
      try {
        return await api.load(ctx, { ...others, id: full } as never)
      } catch (error) {
        if (!(error instanceof Refusal) || !['moved', 'not_found'].includes(error.kind)) throw error
        await follow(ctx, String(full))
        throw error.kind === 'moved' ? notFound(noun) : error
      }
    },
    subject: api.subject,
  }
}

const ofEither = {
  idOf: ({ project, group }: InEither) => (project ?? group)?.id as number,
  pathOf: (subjects: InEither) => eitherPath(subjects),
  placeOf: (ctx: Context & InEither, current: string) => settingsPlaceOf(ctx, current),
  may: mayHere,
}

export const projectHome: Home<InEither> = {
  ...ofEither,
  route: '/:project_path',
  noun: 'a project',
  inPage: api =>
    byPath(api, {
      path: ['project_path', inProjectPage.path.project_path],
      noun: 'Project',
      // A number would be an id.
      isPath: path => path.includes('/'),
      follow: followProject,
    }),
}

export const groupHome: Home<InEither> = {
  ...ofEither,
  route: '/groups/:group_path',
  noun: 'a group',
  inPage: api =>
    byPath(api, {
      path: ['group_path', inGroupPage.path.group_path],
      noun: 'Group',
      isPath: path => !/^\d+$/.test(path),
      follow: followGroup,
    }),
}
