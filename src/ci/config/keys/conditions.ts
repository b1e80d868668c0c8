/** When a job is part of a pipeline: `rules`, `only`, `except`, `workflow`. */
import { parseDuration } from '../durations.ts'
import { limits } from '../limits.ts'
import type { When } from '../plan.ts'
import { isList, isMap, type YamlList, type YamlValue } from '../reading/values.ts'
import { type Expression, parseExpression } from '../rules/expression.ts'
import { isPattern, looksLikePattern } from '../rules/patterns.ts'
import type { Policy, Rule } from './config.ts'
import { variables } from './execution.ts'
import { at, flag, ofLaterLevel, oneOf, oneOrMore, type Place, type Read, type Shape, shaped, shapesOf } from './place.ts'

const whens = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const

export const whenOfJob: Read<When> = oneOf(whens)

const whenOfRule: Read<When | 'never'> = oneOf([...whens, 'never'] as const)

/** Delay of a delayed job, in seconds. */
export const startIn: Read<number> = shaped({ types: ['string', 'number'] }, (value, place) => {
  const seconds = typeof value === 'string' || typeof value === 'number' ? parseDuration(String(value)) : undefined
  if (seconds === undefined) return place.refuse('config should be a duration')
  return seconds > limits.startIn ? place.refuse('config should not exceed the limit of one week') : seconds
})

const expression: Read<Expression> = shaped(
  { types: ['string'] },
  (value, place) => (typeof value === 'string' ? parseExpression(value) : undefined) ?? place.refuse('invalid expression syntax'),
)

/** Patterns of paths, as a list or below `paths`. */
const patterns: Read<readonly string[]> = shaped(
  {
    types: ['string', 'array', 'object'],
    items: { types: ['string', 'number'] },
    keys: { paths: { types: ['string', 'array', 'object'] } },
  },
  (value, place) => {
    if (isMap(value)) {
      place.knows(value, new Set(['paths']))
      return at(value, 'paths', place, patterns) ?? place.refuse('config should have paths')
    }
    const found = oneOrMore(value, place)
    return found && found.length > limits.patterns ? place.refuse(`config has too many entries, at most ${limits.patterns}`) : found
  },
)

const ruleKeys = new Set(['if', 'changes', 'exists', 'when', 'allow_failure', 'start_in', 'variables'])
const workflowKeys = new Set(['if', 'changes', 'exists', 'when', 'variables', 'auto_cancel'])

const rule =
  (keys: ReadonlySet<string>, read: Read<When | 'never'>) =>
  (value: YamlValue, place: Place): Rule | undefined => {
    if (!isMap(value)) return place.refuse('config should be a hash')
    place.knows(value, keys)
    at(value, 'auto_cancel', place, ofLaterLevel)
    const found: Rule = {
      if: at(value, 'if', place, expression),
      changes: at(value, 'changes', place, patterns),
      exists: at(value, 'exists', place, patterns),
      when: at(value, 'when', place, read),
      allow_failure: at(value, 'allow_failure', place, flag),
      start_in: at(value, 'start_in', place, startIn),
      variables: at(value, 'variables', place, variables),
      written: value,
    }
    if (found.when === 'delayed' && !value.has('start_in')) return place.refuse('start in should be a duration')
    if (found.when !== 'delayed' && value.has('start_in')) return place.refuse('start in must be blank where the job is not delayed')
    return found
  }

const ruleShapes = shapesOf({
  if: expression,
  changes: patterns,
  exists: patterns,
  when: oneOf(whens),
  allow_failure: flag,
  start_in: startIn,
  variables,
})

/** A list of rules; nested lists, as `!reference` creates them, are flattened. */
const ruleList = (read: (value: YamlValue, place: Place) => Rule | undefined): Read<readonly Rule[]> =>
  shaped({ types: ['array'], items: { types: ['object', 'array'], keys: ruleShapes } }, (value, place) => {
    if (!isList(value)) return place.refuse('config should be an array of hashes')
    const list = (value as YamlList).flat(limits.referenceDepth) as YamlList
    if (list.length > limits.rules) return place.refuse(`config has too many rules, at most ${limits.rules}`)
    return list.flatMap((item, index) => read(item, place.below(`[${index}]`)) ?? [])
  })

/** Rules of a job. */
export const rules: Read<readonly Rule[]> = ruleList(rule(ruleKeys, whenOfRule))

/** Rules of a workflow: they decide whether there is a pipeline. */
export const workflowRules: Read<readonly Rule[]> = ruleList(rule(workflowKeys, oneOf(['always', 'never'] as const)))

const refs: Read<readonly string[]> = shaped(oneOrMore.shape as Shape, (value, place) => {
  const found = oneOrMore(value, place)
  // Contract: a pattern for one project (`/x/@group/project`) is parsed on comparison; an invalid one never matches (public behaviour).
  const bad = found?.find(ref => looksLikePattern(ref) && !isPattern(ref))
  return bad === undefined ? found : place.refuse(`config should be an array of strings or regular expressions: ${bad} is none`)
})

const expressions: Read<readonly Expression[]> = shaped(oneOrMore.shape as Shape, (value, place) => {
  const written = oneOrMore(value, place)
  return written?.flatMap((text, index) => expression(text, place.below(`[${index}]`)) ?? [])
})

const policyKeys = new Set(['refs', 'variables', 'changes', 'kubernetes'])

/** `only` or `except`: names of references and sources, or a map of conditions. */
export const policy: Read<Policy> = shaped(
  {
    ...(oneOrMore.shape as Shape),
    types: ['string', 'array', 'object'],
    keys: { refs: refs.shape, variables: expressions.shape, changes: patterns.shape, kubernetes: { types: ['string'] } },
  },
  (value, place) => {
    if (!isMap(value)) {
      const found = refs(value, place)
      return found && { refs: found, written: { refs: found } }
    }
    place.knows(value, policyKeys)
    return {
      refs: at(value, 'refs', place, refs),
      variables: at(value, 'variables', place, expressions),
      changes: at(value, 'changes', place, patterns),
      kubernetes: at(value, 'kubernetes', place, oneOf(['active'] as const)) && true,
      written: plain(value),
    }
  },
)

/** In JSON form. */
const plain = (value: YamlValue): unknown => {
  if (isMap(value)) return Object.fromEntries([...value].map(([key, below]) => [key, plain(below)]))
  return isList(value) ? value.map(plain) : value
}
