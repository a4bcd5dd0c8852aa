import { aTable } from '../table.ts'

export const plan = aTable({
  id: '1B.4',
  about: 'dss-provisioner: plan, comparison, apply',
  rows: {
    refresh: [
      'repaired',
      'Any exception of a read means that the object is gone: an expired key empties the state, and the next plan creates all.',
      'A failed read is unchecked and keeps the record; nothing is planned for it.',
    ],
    'writes of a plan': [
      'repaired',
      'A plan changes the state file.',
      'A check sends reads only and records what is agreed; what differs stays as it was recorded.',
    ],
    adoption: [
      'repaired',
      'None: an existing object is planned as a create, which fails.',
      'An existing object is found by its identity and adopted; `adopt: false` makes that a decision.',
    ],
    validation: [
      'taken over',
      'Each resource, then all together; all messages at once.',
      'The same, with places; a broken resource hides no other.',
    ],
    classification: [
      'repaired',
      'Attributes that are not set are not managed, but attributes with a default are.',
      'What is not declared is not managed, with or without a default, unless the document says so.',
    ],
    'compare strategies': [
      'repaired',
      'Partial comparison of mappings; sets lose duplicates and fail on objects.',
      'Partial where declared; sets of any elements, counted, or matched by a key.',
    ],
    'column defect': [
      'repaired',
      'Columns without a meaning differ for ever, and so do columns that nobody declared.',
      'Neither differs: absent is not null, and what is not declared is not compared.',
    ],
    'desired echo': [
      'repaired',
      'Some attributes are read from what was written last, so an edit by hand is invisible.',
      'Attributes are read from the target. What cannot be read is listed as unobserved.',
    ],
    'project variables': [
      'taken over',
      'Replaced in desired values for the comparison only; the raw text is sent.',
      'The same, for the attributes and values that the document names.',
    ],
    'plan of a destroy': [
      'repaired',
      'A command deletes everything in the state.',
      'An empty configuration does: the deletions are an ordinary plan, with its rule for orphans in its head.',
    ],
    'plan file': [
      'repaired',
      'Holds the digest of the configuration and the version of the engine, and checks neither.',
      'Both are checked, with the state and with what was read; a file that was edited is refused.',
    ],
    'stale check': [
      'repaired',
      'Guards the state file: a change in the target between plan and apply is overwritten.',
      'Every object is read again right before its write; a change refuses the apply.',
    ],
    'missing state at apply': [
      'repaired',
      'Starts with an empty state and the lineage of the plan.',
      'The missing state is another basis: the saved plan is refused.',
    ],
    apply: [
      'repaired',
      'One operation at a time.',
      'One record after each command, and commands without a dependency at the same time.',
    ],
    failure: [
      'repaired',
      'Stops everything at the first error.',
      'Stops what depends on it; the rest goes on, and a new plan has what remains.',
    ],
    'immutable attributes': [
      'repaired',
      'No notion of the plan: an error at the apply, or a difference that never ends.',
      'Decided in the plan: report, replace, or refuse the apply.',
    ],
    'absent features': [
      'repaired',
      'No import, replacement, targets, policy, outputs, moves, protection of a resource.',
      'All of them are in the configuration or the command.',
    ],
  },
})
