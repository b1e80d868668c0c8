/** The lines of the abilities table as sentences, for the pages about the API and the handbook. */
import { type Ability, abilities, type Feature, type PlaceRule } from './abilities.ts'
import { roles } from './open_to.ts'

/** The name of each access level. */
export const roleNames: Readonly<Record<number, string>> = {
  [roles.none]: 'No role',
  [roles.minimal]: 'Minimal access',
  [roles.guest]: 'Guest',
  [roles.reporter]: 'Reporter',
  [roles.developer]: 'Developer',
  [roles.maintainer]: 'Maintainer',
  [roles.owner]: 'Owner',
}

/** `read_merge_request` as "read merge request". */
export const abilityInWords = (ability: Ability): string => ability.replaceAll('_', ' ')

/** Who has an ability, one sentence for each way to it, and when nobody has. Administrators are not named: they have all but that of SCIM. */
export function whoMay(ability: Ability): readonly string[] {
  const rule = abilities[ability]
  if (!('who' in rule)) return inPlace(rule)
  switch (rule.who) {
    case 'anyone':
      return ['Anyone, also without an account']
    case 'signed_in':
      return ['Every signed-in user']
    case 'self':
      return [
        'The user themselves, and administrators',
        ...('inPerson' in rule ? ['Not an administrator who acts as the user in the browser'] : []),
        ...('human' in rule ? ['Only for accounts of people, not for those of bots'] : []),
      ]
    case 'admin':
      return ['Administrators only', ...('human' in rule ? ['Only for accounts of people, not for those of bots'] : [])]
    case 'scim_token':
      return ['The SCIM token of the group only']
  }
}

function inPlace({ on, role, public: audience, own, feature, also, ofJobs, changes }: PlaceRule): readonly string[] {
  const features = feature === undefined ? [] : [feature].flat()
  const needed = [...(features.length > 0 ? [features.map(featureInWords).join(' or ')] : []), ...(also ?? []).map(featureInWords)]
  return [
    `Members of the ${on} with the role ${roleNames[role]} or a higher one`,
    ...(audience === 'anyone' ? [`Anyone who may see the ${on}: all where it is public, signed-in users where it is internal`] : []),
    ...(audience === 'signed_in' ? [`Signed-in users who may see the ${on}, where it is public or internal`] : []),
    ...(own ? ['Also the author or an assignee of the thing, while they may see it'] : []),
    ...(ofJobs ? ['Below Reporter only where the project has public pipelines'] : []),
    ...(needed.length > 0 ? [`Only where the project has ${needed.join(' and ')} switched on for the caller`] : []),
    ...(changes ? ['Not while the project is archived'] : []),
  ]
}

const names: { readonly [F in Feature]?: string } = { merge_requests: 'merge requests', builds: 'CI/CD', operations: 'environments' }

const featureInWords = (feature: Feature): string => names[feature] ?? feature

/** The table of permissions in a kind of place as Markdown: what, from which role on, who without a role, and what else must hold. */
export function permissionsTable(on: PlaceRule['on']): string {
  const audiences = { anyone: 'Anyone who may see it', signed_in: 'Signed-in users who may see it' } as const
  const rows = (Object.keys(abilities) as Ability[]).flatMap(ability => {
    const rule = abilities[ability]
    if (rule.on !== on) return []
    const [name, first] = [abilityInWords(ability), 'who' in rule ? undefined : rule]
    if (!first) return [`| ${name} | Administrators only | | |\n`]
    const conditions = inPlace({ ...first, public: undefined } as unknown as PlaceRule).slice(1)
    return [`| ${name} | ${roleNames[first.role]} | ${first.public ? audiences[first.public] : ''} | ${conditions.join('. ')} |\n`]
  })
  return `| What | From the role | Without a role | What else |\n| --- | --- | --- | --- |\n${rows.join('')}`
}
