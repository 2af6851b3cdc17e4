package compare

import "testing"

// TestCards: spellings that people write of one product, and what keeps two apart.
func TestCards(t *testing.T) {
	for _, c := range []struct {
		spelling, product, power string
		cards                    int
	}{
		{"rtx-5090", "RTX 5090", "", 0},
		{"RTX-5090-32GB", "RTX 5090", "", 0},
		{"NVIDIA GeForce RTX 5090 32 GB", "RTX 5090", "", 0},
		{"RTX 5090 32GB / WSL2 Docker / sm_120", "RTX 5090", "", 0},
		{"1x NVIDIA GeForce RTX 5090, 32607 MiB, Blackwell sm_120", "RTX 5090", "", 1},
		{"workstation RTX 5090", "RTX 5090", "", 0},
		{"somehost-fast-rtx5090", "RTX 5090", "", 0},
		{"RTX 5090 D", "RTX 5090 D", "", 0},
		{"RTX 5090 Laptop GPU", "RTX 5090 (laptop)", "", 0},
		{"rtx-pro-6000", "RTX PRO 6000 Blackwell", "", 0},
		{"RTX-PRO-6000-96GB", "RTX PRO 6000 Blackwell", "", 0},
		{"RTX-PRO-6000-GPU-0a1b2c3d", "RTX PRO 6000 Blackwell", "", 0},
		{"nvidia-rtx-pro-6000-blackwell-max-q", "RTX PRO 6000 Blackwell", "300 W", 0},
		{"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition 96 GB", "RTX PRO 6000 Blackwell", "300 W", 0},
		{"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000 Blackwell", "600 W", 0},
		{"dual-rtx-pro-6000-blackwell-max-q-tp2-pcie", "RTX PRO 6000 Blackwell", "300 W", 2},
		{"2x RTX PRO 6000 Blackwell Max-Q TP2", "RTX PRO 6000 Blackwell", "300 W", 2},
		{"2x NVIDIA RTX PRO 6000 Blackwell Max-Q, exclusive TP=2 over PCIe without NVLink", "RTX PRO 6000 Blackwell", "300 W", 2},
		{"two NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition GPUs, 97887 MiB each, sm_120", "RTX PRO 6000 Blackwell", "300 W", 2},
		{"RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000 Blackwell (server)", "", 0},
		{"NVIDIA-H100-80GB-HBM3", "H100", "", 0},
		{"8 x H200", "H200", "", 8},
		{"RTX 5090 and RTX PRO 6000", "RTX 5090 + RTX PRO 6000 Blackwell", "", 0},
		{"AMD Radeon Graphics", "amd radeon graphics", "", 0},
		{"Some Accelerator 9", "some accelerator 9", "", 0},
		{"rtx-5090 watercooled", "RTX 5090 (watercooled)", "", 0},
		{"unknown", "", "", 0},
		{"n/a", "", "", 0},
		{"", "", "", 0},
	} {
		got := parseCard(c.spelling)
		if got.key() != c.product || got.power != c.power || got.cards != c.cards {
			t.Errorf("%q is %q, %q, %d cards; want %q, %q, %d", c.spelling, got.key(), got.power, got.cards, c.product, c.power, c.cards)
		}
	}
}

func FuzzCard(f *testing.F) {
	for _, s := range cardSpellings {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, b := parseCard(s), parseCard(s)
		if a.key() != b.key() {
			t.Errorf("%q reads as %q and %q", s, a.key(), b.key())
		}
	})
}
