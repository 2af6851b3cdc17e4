// Package speech reads runs of speech recognition and of voice turns. Three labels are
// served:
//
//	anvil/speech-schedule  stt-benchmark-evidence/v1     a schedule over a corpus of recordings
//	anvil/speech-single    voice-stt-benchmark/v1        one recording, once
//	anvil/voice-turns      voice-benchmark-evidence/v1   audio      text to speech and back
//	                                                     pipeline   whole turns with their stages
//
// The journey of a schedule: the endpoint becomes facts of the arm; every recording that
// was sent becomes a sample; every group of the summary (all, human, synthetic, each
// category) becomes a run with word and character error rates, latencies and real-time
// factors. This writer takes percentiles by linear interpolation over successes only, and
// error rates over successes only. So a group without one success has no error rate: the
// 0.0 that stands there becomes an absent figure. Human and synthetic recordings are
// different slices of the corpus and never meet.
//
// The cold request is a run of its own. Of a single recording nobody knows whether it was
// the first; its warm state stays unknown.
//
// A voice turn without a hypothesis says nothing of recognition: its error rate is absent,
// its stage latencies stay.
package speech
