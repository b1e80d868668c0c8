/** The protected packages and images of a project: who publishes and deletes them. */
import { type PublishedType, publishedTypes } from '../../delivery/packages/types.ts'
import * as api from '../../delivery/registry_protection/endpoints.ts'
import { patternOf } from '../../delivery/registry_protection/entity.ts'
import { type LevelName, levelNames, presentLevels } from '../../delivery/registry_protection/levels.ts'
import type { ImageRuleRow, PackageRuleRow } from '../../delivery/registry_protection/queries.ts'
import * as tagApi from '../../delivery/registry_protection/tags/endpoints.ts'
import type { TagRuleRow } from '../../delivery/registry_protection/tags/queries.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { typeNames } from '../packages/package_view.ts'
import type { InEither } from '../places/planning.ts'
import { projectHome } from '../things/homes.ts'
import { thingPages } from '../things/things.ts'

interface Levels {
  readonly minimum_access_level_for_push: LevelName | null
  readonly minimum_access_level_for_delete: LevelName | null
}

interface PackageRule extends Levels {
  readonly id: number
  readonly package_name_pattern: string
  readonly package_type: PublishedType
}

interface ImageRule extends Levels {
  readonly id: number
  readonly repository_path_pattern: string
}

const words: Readonly<Record<LevelName, string>> = { maintainer: 'Maintainers', owner: 'Owners', admin: 'Administrators' }

const choices = (otherwise: string) => [['', otherwise] as const, ...levelNames.map(name => [name, words[name]] as const)]

const levelFields = (publish: string, remove: string): readonly FieldSpec[] => [
  { name: 'minimum_access_level_for_push', label: publish, control: 'select', choices: choices('Developers, as without a rule'), hint: '' },
  {
    name: 'minimum_access_level_for_delete',
    label: remove,
    control: 'select',
    choices: choices('As without a rule'),
    hint: 'And those above. Of several rules for a name the strictest holds. Deploy tokens do neither where a rule asks for a role.',
  },
]

const levelsView = ({ minimum_access_level_for_push: push, minimum_access_level_for_delete: removal }: Levels, verb: string): Html =>
  html`<div class="facts">${push && html`<span>${verb}: ${words[push]}</span>`}${removal && html`<span>Delete: ${words[removal]}</span>`}</div>`

const packageFields: readonly FieldSpec[] = [
  {
    name: 'package_type',
    label: 'Package manager',
    control: 'select',
    choices: publishedTypes.map(type => [type, typeNames[type]] as const),
    hint: '',
  },
  { name: 'package_name_pattern', label: 'Name or pattern', autofocus: true, hint: 'In a pattern `*` stands for any text: `@team/*`.' },
  ...levelFields('Who may publish them', 'Who may delete them'),
]

export const protectedPackagePages = thingPages<InEither, PackageRule>({
  home: projectHome,
  path: '/-/settings/protected_packages',
  key: 'protected_packages',
  live: 'package_protection_rules',
  title: 'Protected packages',
  icon: 'package',
  purpose: 'Packages of a protected name are published, or deleted, by the roles that you name and those above.',
  list: api.listPackageProtectionRules,
  row: rule =>
    html`<div class="title mono break">${rule.package_name_pattern} ${chip(typeNames[rule.package_type])}</div>${levelsView(rule, 'Publish')}`,
  labelOf: ({ package_name_pattern, package_type }) => `${package_name_pattern} of ${typeNames[package_type]}`,
  idOf: ({ id }) => id,
  id: 'package_protection_rule_id',
  add: {
    of: api.createPackageProtectionRule,
    title: 'Protect packages',
    fields: () => packageFields,
    values: () => ({ package_type: 'npm', minimum_access_level_for_push: 'maintainer' }),
    notice: 'The packages are protected.',
  },
  edit: {
    of: api.updatePackageProtectionRule,
    named: ({ rule }: { readonly rule: PackageRuleRow }) => rule.package_name_pattern,
    fields: () => packageFields,
    values: ({ rule }: { readonly rule: PackageRuleRow }) => ({ ...rule, ...presentLevels(rule) }),
    notice: 'The rule was changed.',
  },
  remove: { of: api.deletePackageProtectionRule, button: 'Unprotect', notice: 'The rule was removed.', confirms: true },
})

const imageFields = (path: string): readonly FieldSpec[] => [
  {
    name: 'repository_path_pattern',
    label: 'Name or pattern',
    autofocus: true,
    hint: `Begins with the path of the project. \`${path}\` is its own image, and \`${path}*\` stands for all of them.`,
  },
  ...levelFields('Who may push them', 'Who may delete them'),
]

export const protectedImagePages = thingPages<InEither, ImageRule>({
  home: projectHome,
  path: '/-/settings/protected_images',
  key: 'protected_images',
  live: 'container_protection_rules',
  title: 'Protected images',
  icon: 'container',
  purpose: 'Images of a protected name are pushed, or deleted, by the roles that you name and those above.',
  list: api.listContainerProtectionRules,
  row: rule => html`<div class="title mono break">${rule.repository_path_pattern}</div>${levelsView(rule, 'Push')}`,
  labelOf: ({ repository_path_pattern }) => repository_path_pattern,
  idOf: ({ id }) => id,
  id: 'protection_rule_id',
  add: {
    of: api.createContainerProtectionRule,
    title: 'Protect images',
    fields: ctx => imageFields(pathOf(ctx)),
    values: ctx => ({ repository_path_pattern: `${pathOf(ctx)}*`, minimum_access_level_for_push: 'maintainer' }),
    notice: 'The images are protected.',
  },
  edit: {
    of: api.updateContainerProtectionRule,
    named: ({ rule }: { readonly rule: ImageRuleRow }) => patternOf(rule),
    fields: ({ rule }: { readonly rule: ImageRuleRow }) => imageFields(rule.project_path.toLowerCase()),
    values: ({ rule }: { readonly rule: ImageRuleRow }) => ({ repository_path_pattern: patternOf(rule), ...presentLevels(rule) }),
    notice: 'The rule was changed.',
  },
  remove: { of: api.deleteContainerProtectionRule, button: 'Unprotect', notice: 'The rule was removed.', confirms: true },
})

interface TagRule extends Levels {
  readonly id: number
  readonly tag_name_pattern: string
  readonly immutable: boolean
}

const tagFields: readonly FieldSpec[] = [
  {
    name: 'tag_name_pattern',
    label: 'Expression',
    autofocus: true,
    hint: 'RE2, found anywhere in the name: `^v` is about tags that begin with v, `^latest$` about one tag.',
  },
  {
    name: 'minimum_access_level_for_push',
    label: 'Who may push them',
    control: 'select',
    choices: choices('Developers, each tag once: it is immutable'),
    hint: '',
  },
  {
    name: 'minimum_access_level_for_delete',
    label: 'Who may delete them',
    control: 'select',
    choices: choices('Nobody: it is immutable'),
    hint: 'And those above. Give both roles, or neither for tags that are immutable. The expiration policy keeps all of them.',
  },
]

export const protectedImageTagPages = thingPages<InEither, TagRule>({
  home: projectHome,
  path: '/-/settings/protected_image_tags',
  key: 'protected_image_tags',
  live: 'container_tag_protection_rules',
  title: 'Protected image tags',
  icon: 'tag',
  purpose:
    'Tags of images that an expression is found in are pushed, or deleted, by the roles that you name and those above, or never change.',
  list: tagApi.listContainerTagProtectionRules,
  row: rule =>
    html`<div class="title mono break">${rule.tag_name_pattern}${rule.immutable && html` ${chip('Immutable', 'accent')}`}</div>${levelsView(rule, 'Push')}`,
  labelOf: ({ tag_name_pattern }) => tag_name_pattern,
  idOf: ({ id }) => id,
  id: 'protection_rule_id',
  add: {
    of: tagApi.createContainerTagProtectionRule,
    title: 'Protect image tags',
    fields: () => tagFields,
    values: () => ({ minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: 'maintainer' }),
    notice: 'The tags are protected.',
  },
  edit: {
    of: tagApi.updateContainerTagProtectionRule,
    named: ({ rule }: { readonly rule: TagRuleRow }) => rule.tag_name_pattern,
    fields: () => tagFields,
    values: ({ rule }: { readonly rule: TagRuleRow }) => ({ ...rule, ...presentLevels(rule) }),
    notice: 'The rule was changed.',
  },
  remove: { of: tagApi.deleteContainerTagProtectionRule, button: 'Unprotect', notice: 'The rule was removed.', confirms: true },
})

const pathOf = ({ project }: InEither): string => (project?.full_path ?? '').toLowerCase()
