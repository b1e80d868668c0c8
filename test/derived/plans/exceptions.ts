/** Lists that may read a big table from end to end, by the reason. May only shrink. */
const reasons: Readonly<Record<string, readonly string[]>> = {
  'Counting, up to the limit, what nearly every issue or merge request meets reads them as they lie until there are enough.': [
    'member: /issues?scope=all&milestone=None',
    'member: /issues?scope=all&not%5Blabels%5D=label+0',
    'member: /issues?scope=all&not%5Bauthor_id%5D=1000',
    'member: /issues?scope=all&search=step+88',
    'member: /merge_requests?scope=all&search=step+88',
  ],
  'Counting, up to the limit, issues of a great part of all that have no assignee or label, or two: that looks up more rows than there are in all.':
    [
      'member: /projects/1074/issues?assignee_id=None',
      'member: /groups/1000000/issues?assignee_id=None',
      'member: /groups/1000000/issues?labels=None',
    ],
  'The same of merge requests that have no reviewer or label.': [
    'member: /projects/1074/merge_requests?reviewer_id=None',
    'member: /groups/1000000/merge_requests?labels=None',
    'member: /groups/1000000/merge_requests?reviewer_id=None',
    'member: /merge_requests?scope=all&labels=None',
    'member: /merge_requests?scope=all&reviewer_id=None',
  ],
  'Two of three groups are open to all: counting them up to the limit reads most groups in any order.': [
    'anonymous: /groups',
    'member: /groups?all_available=true',
    'member: /groups?all_available=true&order_by=path',
    'member: /groups?all_available=true&order_by=id',
  ],
  'The members of the groups on the page are counted with the state of their accounts, in one statement.': ['member: /namespaces'],
  'No index has archived projects alone.': ['member: /projects?archived=true'],
  'What every third project has is found faster in all of them than by the index of trigrams.': [
    'member: /projects?search=platform',
    'member: /projects?search=Team+12&search_namespaces=true',
  ],
}

/** As `<asker>: <path>`, in the words of lists.ts. */
export const exceptions: ReadonlySet<string> = new Set(Object.values(reasons).flat())
