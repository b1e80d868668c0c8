/** The fields of a hook: its address, what it is sent, and how. */
import { type HookKind, type Switch, switchesOf, switchMeanings } from '../../integrations/hooks/switches.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'

/** The switches in the groups that people look for them in. */
const switchGroups: readonly (readonly [title: string, switches: readonly Switch[]])[] = [
  ['Repository', ['push_events', 'tag_push_events', 'repository_update_events', 'releases_events']],
  ['Merge requests and comments', ['merge_requests_events', 'note_events', 'confidential_note_events']],
  ['Issues', ['issues_events', 'confidential_issues_events']],
  ['Wiki', ['wiki_page_events']],
  ['CI/CD', ['job_events', 'pipeline_events', 'deployment_events', 'feature_flag_events']],
  ['Groups', ['subgroup_events']],
]

/** `Whether pushes to branches are sent` as `Pushes to branches`. */
export function switchName(name: Switch): string {
  const words = switchMeanings[name].replace(/^Whether (each )?/, '').replace(/ (are|is) sent$/, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const branchFilter: FieldSpec = {
  name: 'push_events_branch_filter',
  label: 'Only pushes to branches called so',
  hint: 'A name, or a pattern with `*`, as `release/*`. Empty: all branches.',
}

/** @param isNew the token of a hook that exists is kept where the field is left empty */
export function hookFields(kind: HookKind, isNew: boolean): readonly FieldSpec[] {
  const switches: readonly Switch[] = switchesOf[kind]
  const groups = switchGroups.flatMap(([title, names]) => {
    const [first, ...others] = names
      .filter(name => switches.includes(name))
      .map((name): FieldSpec => ({ name, label: switchName(name), hint: '' }))
    return first ? [{ ...first, under: title }, ...others] : []
  })
  const afterPushes = groups.findIndex(({ name }) => name === 'push_events') + 1
  return [
    {
      name: 'url',
      label: 'Address',
      control: 'text',
      placeholder: 'https://ci.example.com/hook',
      hint: 'Each event is posted there as JSON. Addresses that are not public are refused unless `INGOT_OUTBOUND_ALLOW` names them.',
    },
    {
      name: 'token',
      label: 'Secret token',
      control: 'password',
      autocomplete: 'off',
      hint: isNew
        ? 'Sent as `X-Gitlab-Token`, so that the receiver knows who it is. It is never shown again.'
        : 'Sent as `X-Gitlab-Token`. Left empty the one there is stays, unless the address changes: then it is given again.',
    },
    {
      name: 'enable_ssl_verification',
      label: 'Check the certificate of the receiver',
      hint: 'Without it, what is sent can be read and answered by others on the way.',
    },
    ...groups.slice(0, afterPushes),
    ...(kind === 'system' ? [] : [branchFilter]),
    ...groups.slice(afterPushes),
  ]
}
