// Package prompt makes the prompts of a workload and the requests that carry them.
//
// The journey of a prompt:
//
//  1. [New] checks the workload and fixes everything that no endpoint can change: the kind
//     of text, the words and patterns it is drawn from, the members of the body beside it.
//     [Maker.Spec] is the identity of all that, the same for every arm.
//  2. [Maker.Calibrate] asks the endpoint how many tokens it counts. A handful of short
//     prompts fit a linear model of tokens against what a text is made of (words, characters,
//     digits, syllables); a few of full length confirm it. Each is answered with one token, and begins
//     with a digit where prompts that are measured begin with a letter, so no cached prefix
//     is left behind for these. Outside the tolerance there is no calibration: an error.
//  3. [Calibration.Set] gives the requests of one repeat. Each is drawn from a generator
//     seeded with the SHA-256 of the workload's seed, the step, the repeat and the index:
//     nothing depends on the order in which requests are asked for, nor on the machine.
//  4. A prompt is an opening that no other of its set has, text piece by piece (no piece
//     twice), needles at their depths, a last line that is filled word by word up to the
//     aim, and an instruction to begin the answer with a code.
//  5. [Set.Judge] looks for codes in an answer. A code is the request's place in the session,
//     scrambled: it can be read back, so no list of codes is searched.
//
// What prompts look like, short ones:
//
//	Skin Jacket 109.
//	In February 1791 the surgeon of the square chapel moved 29 rows of stone for Mary
//	Walker. When the prison closed in September, its paint was shared and its house turned.
//	Marks on the lid of case 669: boat card mine powder.
//
//	Begin your answer with the code N9-UE3Z-66DA, exactly as it is written here. Continue ...
//
// Note: prompts are fitted, not counted: the tokens of each request lie around the target.
// Calibration says how far those it saw lay; the measured requests' own usage is the proof.
//
// Note: a chat template begins all prompts with the same few tokens, as does a system
// message. An engine may report those as cached.
package prompt
