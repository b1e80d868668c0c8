/** The fields of a kind of integration, from its declaration. */
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { labelOf } from '../../platform/pages/forms/labels.ts'
import { channelOf } from '../../spaces/integration_settings/kinds/chats.ts'
import type { IntegrationKind, SettingField } from '../../spaces/integration_settings/kinds/field.ts'
import { fieldsByName } from '../../spaces/integration_settings/kinds/kinds.ts'
import { type IntegrationSwitch, integrationSwitches, switchAbout } from '../../spaces/integration_settings/switches.ts'

const choiceLabels: Readonly<Record<string, string>> = {
  all: 'All branches',
  default: 'The default branch',
  protected: 'Protected branches',
  default_and_protected: 'The default branch and protected branches',
  match_any: 'One is enough',
  match_all: 'All are needed',
}

const sentence = (about: string): string => (/[.!?]$/.test(about) ? about : `${about}.`)

/** The old way of saying which branches is for clients alone. */
const isForClients = ({ name }: SettingField): boolean => name === 'notify_only_default_branch'

function settingField(field: SettingField, isStored: boolean): FieldSpec {
  const { name, about, label, secret, type, choices, required, example } = field
  return {
    name,
    label: label ?? labelOf(name),
    hint: secret && isStored ? `${sentence(about)} Left empty the one there is stays.` : sentence(about),
    ...(secret && { control: 'password', autocomplete: 'off' }),
    ...(type === 'long' && !secret && { control: 'textarea' }),
    ...(choices && { control: 'select', choices: choices.map(choice => [choice, choiceLabels[choice] ?? choice] as const) }),
    ...(!secret && !choices && ['text', 'url', 'link'].includes(type) && { control: 'text' }),
    ...(example !== undefined && { placeholder: example }),
    ...(required && !(secret && isStored) && { required: true }),
  }
}

/** `Whether pushes to branches are reported` as `Pushes to branches`. */
export function switchLabel(name: IntegrationSwitch): string {
  const words = switchAbout[name].replace(/^Whether /, '').replace(/ are reported$/, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The events by the settings that name their channels. */
const eventOfChannel = new Map(Object.entries(channelOf).map(([event, name]) => [name, event as IntegrationSwitch]))

/** The field of the channels of a kind of events, in the words of its switch. */
function channelField({ name }: SettingField, isFirst: boolean): FieldSpec {
  const event = switchLabel(eventOfChannel.get(name) as IntegrationSwitch)
  return {
    name,
    label: `Channels for ${event.charAt(0).toLowerCase()}${event.slice(1)}`,
    control: 'text',
    hint: isFirst ? 'Several with commas. Where one stays empty, the channel above counts.' : '',
    ...(isFirst && { under: 'Channels by event' }),
  }
}

/** @param stored the names of the secrets that there are */
export function integrationFields(kind: IntegrationKind, stored: ReadonlySet<string>): readonly FieldSpec[] {
  const shown = kind.fields.filter(field => !isForClients(field))
  const channels = shown.filter(({ name }) => eventOfChannel.has(name))
  const [first, ...others] = kind.events.map((name): FieldSpec => ({ name, label: switchLabel(name), hint: '' }))
  return [
    { name: 'active', label: 'In use', hint: '' },
    ...shown.filter(({ name }) => !eventOfChannel.has(name)).map(field => settingField(field, stored.has(field.name))),
    ...(first && !kind.kept ? [{ ...first, under: 'What is reported' }, ...others] : []),
    ...channels.map((field, at) => channelField(field, at === 0)),
    ...(kind.slug === 'jira'
      ? [{ name: 'comment_on_event_enabled', label: 'Comment on the issues that are named', hint: '' } satisfies FieldSpec]
      : []),
  ]
}

/** Each kind shows the settings that it has; together the forms show all of them. */
export const withAllSettings = (submit: Endpoint): Endpoint => ({
  ...submit,
  covers: [...fieldsByName.keys(), ...integrationSwitches, 'comment_on_event_enabled', 'use_inherited_settings'],
})
