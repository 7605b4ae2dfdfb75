import * as fc from 'fast-check'

/**
 * How long `npm test -- --quick` tries each property: for long ones the first examples are enough between commits. Long enough for
 * one of the largest, cold and on a busy machine, because a property without a single example fails.
 */
const LONGEST_MS = 400

fc.configureGlobal({ interruptAfterTimeLimit: LONGEST_MS })
