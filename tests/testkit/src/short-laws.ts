import * as fc from 'fast-check'

/**
 * How long `npm test -- --quick` tries each property: between commits the first examples of long ones are enough. It is long enough
 * for one of the largest examples on a cold and busy machine, because a property without a single example fails.
 */
const LONGEST_MS = 400

fc.configureGlobal({ interruptAfterTimeLimit: LONGEST_MS })
