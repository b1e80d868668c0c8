/**
 * Who uses the pages can change all that a client of the API can: every parameter of a PUT or PATCH is in a form of a page that runs it, or stands on
 * the list with its reason. The forms are those that an administrator is shown in the world.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'
import { formsShown } from './forms_shown.ts'
import { notShown, withoutChoices, withoutPages } from './not_shown.ts'
import { openWorld } from './world.ts'

/** Settings that a POST takes. */
const alsoSettings = ['POST /projects/:id/approvals']

const world = await openWorld()
const shown = new Map<string, Set<string>>()

/** The boxes of lists, by endpoint and parameter. */
const offered = new Map<string, Set<string>>()

for (const { target, inside } of await formsShown(world)) {
  if (target.shows === undefined) continue
  const names = shown.get(target.shows) ?? new Set()
  shown.set(target.shows, names)
  for (const [, name = ''] of inside.matchAll(/name="([^"]+)"/g)) names.add(name.replace(/\[.*$/, ''))
  for (const name of target.covers ?? []) names.add(name)
  for (const [, name = '', value = ''] of inside.matchAll(/<input type="checkbox" name="(\w+)\[\]" value="([^"]*)"/g)) {
    const key = `${target.shows} ${name}`
    offered.set(key, (offered.get(key) ?? new Set()).add(value))
  }
}

const changing = endpoints.filter(
  ({ method, dialect, route }) => dialect.name === 'rest' && (method === 'PUT' || method === 'PATCH' || alsoSettings.includes(route)),
)

/** The parameters of an endpoint that no form sends. */
const missing = ({ route, params }: (typeof endpoints)[number]): string[] =>
  Object.keys(params).filter(name => !shown.get(route)?.has(name))

test('every parameter that changes something has a field, or a reason to have none', () => {
  const found = changing
    .filter(({ route }) => !(route in withoutPages))
    .flatMap(endpoint =>
      missing(endpoint).flatMap(name => (notShown[endpoint.route]?.[name] === undefined ? [`${endpoint.route} ${name}`] : [])),
    )
  assert.deepEqual(
    found,
    [],
    'you are here because the API takes what no page has a field for: add the field to the form that runs the endpoint, or a reason to test/derived/not_shown.ts',
  )
})

test('the reasons are about parameters that no form shows', () => {
  const gone = Object.entries(notShown).flatMap(([route, names]) => {
    const endpoint = changing.find(candidate => candidate.route === route)
    const without = endpoint ? missing(endpoint) : []
    return Object.keys(names).flatMap(name => (without.includes(name) ? [] : [`${route} ${name}`]))
  })
  const built = Object.keys(withoutPages).filter(route => {
    const endpoint = changing.find(candidate => candidate.route === route)
    return !endpoint || missing(endpoint).length < Object.keys(endpoint.params).length
  })
  assert.deepEqual([...gone, ...built], [], 'these have a field now, or are gone: take them off test/derived/not_shown.ts')
})

test('a list of boxes has every choice that the API takes, or a reason to leave it out', () => {
  const lists = endpoints.flatMap(({ route, params }) =>
    Object.entries(params).flatMap(([name, schema]) => {
      const choices = (schema as { readonly items?: { readonly enum?: readonly string[] } }).items?.enum
      const boxes = offered.get(`${route} ${name}`)
      return choices && boxes ? [{ route, name, left: choices.filter(choice => !boxes.has(choice)) }] : []
    }),
  )
  const reasons = Object.entries(withoutChoices).flatMap(([route, names]) =>
    Object.entries(names).flatMap(([name, choices]) => Object.keys(choices).map(choice => `${route} ${name} ${choice}`)),
  )
  assert.deepEqual(
    lists.flatMap(({ route, name, left }) => left.map(choice => `${route} ${name} ${choice}`)).toSorted(),
    reasons.toSorted(),
    'you are here because a form leaves out a choice: offer it, or give a reason in test/derived/not_shown.ts; or a reason is not needed any more',
  )
})
