/** State of a link that goes to where the work at hand is kept: following it loses nothing, and nobody is asked. */
export const LEAVES_NOTHING = 'leaves-nothing'
