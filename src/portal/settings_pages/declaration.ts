/** A page of settings as a declaration: sections with a form each, from the declarations of the API. The search for settings reads the same. */
import type { TProperties } from 'typebox'
import { type Ability, abilities, allows, roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { requirementOf, type Tier, tierCovers, tierOf } from '../../platform/kernel/declaration/types.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import type { FormDeclaration } from '../../platform/pages/forms/form.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import type { Html } from '../../platform/pages/html.ts'

/** A setting on a page. Its choices may depend on the place. */
export interface SettingField<S extends object> extends Omit<FieldSpec, 'disabled' | 'choices'> {
  readonly choices?: FieldSpec['choices'] | ((ctx: Context & S) => Promise<NonNullable<FieldSpec['choices']>>)
}

interface SectionHead<S extends object> {
  /** Its anchor, and the last part of the address that its form is sent to. */
  readonly key: string
  readonly title: string
  /** What it is about, in a sentence. */
  readonly says?: string
  /** Words by which people look for it, where it says none of them. */
  readonly alsoCalled?: string
  /** `danger`: among what cannot be taken back; `dense`: many short values. */
  readonly look?: 'danger' | 'dense'
  /** Not shown otherwise. */
  readonly isShown?: (ctx: Context & S) => boolean | Promise<boolean>
}

/** A section with a form: it sends its fields to `of`, and nothing else. */
export interface FormSection<S extends object>
  extends SectionHead<S>,
    Pick<FormDeclaration<S>, 'of' | 'values' | 'instead' | 'confirms' | 'empty' | 'after'> {
  readonly fields: readonly SettingField<S>[]
  readonly button?: string
  /** Where it leads. Default: to the section. */
  readonly next?: FormDeclaration<S>['next']
  /** What the next page says. Default: that the section was saved. */
  readonly notice?: string
  /** What stands in its place for those who may not send it. */
  readonly otherwise?: string
}

/** A section with something other than a form: a list, a button. */
export interface ViewSection<S extends object> extends SectionHead<S> {
  readonly can: Ability
  readonly tier?: Exclude<Tier, 'free'>
  readonly view: (ctx: Context & S) => Html | Promise<Html>
  readonly otherwise?: string
}

export type Section<S extends object> = FormSection<S> | ViewSection<S>

/** A page of settings. `S`: what its scope gives. */
export interface SettingsPage<S extends object> {
  /** Of its entry in the navigation beside it. */
  readonly key: string
  readonly title: string
  /** Its address as a route. */
  readonly path: `/${string}`
  /** What the addresses of its forms begin with, as a route; default: its own. */
  readonly formsAt?: `/${string}`
  readonly scope: Scope<S, TProperties>
  readonly can: Ability
  readonly sections: readonly Section<S>[]
  /** The address of what a route names, in the place of the caller. */
  readonly addressOf: (subjects: S, route: string) => string
  readonly placeOf: (ctx: Context & S) => Place
  /** Built scripts that it needs. */
  readonly scripts?: readonly string[]
}

type Caller = Pick<Context, 'actor' | 'tier'>

export const isForm = <S extends object>(section: Section<S>): section is FormSection<S> => 'of' in section

const abilityOf = <S extends object>(section: Section<S>): Ability => (isForm(section) ? section.of.can : section.can)
const tierOfSection = <S extends object>(section: Section<S>) => (isForm(section) ? section.of.tier : section.tier)

const may = <S extends object>({ actor }: Caller, scope: Scope<S, TProperties>, subjects: S, ability: Ability): boolean =>
  allows(actor, ability, scope.subject(subjects)) === 'yes'

/** May the caller open the page? */
export const mayOpen = <S extends object>(ctx: Caller & S, { scope, can }: SettingsPage<S>): boolean => may(ctx, scope, ctx, can)

/** May the caller use the section? */
export const mayUse = <S extends object>(ctx: Caller & S, { scope }: SettingsPage<S>, section: Section<S>): boolean =>
  may(ctx, scope, ctx, abilityOf(section))

/** The sections of the page that the caller is shown, be it with what they say in place of a form. */
export async function sectionsOf<S extends object>(ctx: Context & S, page: SettingsPage<S>): Promise<readonly Section<S>[]> {
  const shown: Section<S>[] = []
  for (const section of page.sections) {
    const isFor = section.otherwise !== undefined || mayUse(ctx, page, section)
    if (isFor && tierCovers(ctx.tier, tierOfSection(section)) && ((await section.isShown?.(ctx)) ?? true)) shown.push(section)
  }
  return shown
}

/** Who may change what takes this ability. */
function reasonOf(ability: Ability): string {
  const rule = abilities[ability]
  if ('who' in rule || rule.role !== roles.owner) return 'Only administrators can change this.'
  return 'Only owners can change this.'
}

/**
 * The fields of a section that the caller is shown: without those of a higher tier and those that the API ignores from them; those that it refuses
 * are shown as they are, with the reason.
 */
export function fieldsOf<S extends object>(
  ctx: Caller & S,
  { scope }: SettingsPage<S>,
  { of, fields, instead }: FormSection<S>,
): readonly (SettingField<S> & Pick<FieldSpec, 'disabled'>)[] {
  return fields.flatMap(field => {
    const schema = schemaOf(of, instead, field.name)
    if (!tierCovers(ctx.tier, tierOf(schema))) return []
    const requirement = requirementOf(schema)
    if (!requirement || may(ctx, scope, ctx, requirement.ability)) return [field]
    return requirement.otherwise === 'ignored' ? [] : [{ ...field, disabled: reasonOf(requirement.ability) }]
  })
}

function schemaOf(of: Endpoint, instead: FormSection<object>['instead'], name: string) {
  const schema = instead?.params[name] ?? of.params[name]
  if (!schema) throw new Error(`${of.route} has no parameter ${name} that a page could show`)
  return schema
}
