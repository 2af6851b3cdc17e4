package prompt

import "strings"

// The vocabulary. Plain, frequent words: most tokenisers have them whole, so the length of
// a text in tokens follows closely from its words. The lists are short and are dealt like
// cards: texts are alike in what words they hold, not in how these follow each other, and
// so alike in length. Those that follow an article begin with a consonant.
var (
	nouns = strings.Fields(`barn basket belt blanket boat book bowl brass bridge butter cable card chain chart clay cloud coin corn cow curtain dish dress
field flame forest fruit glass grain hammer hay hook house key ladder leaf lever market metal mine mountain net paint paper pen
pipe plate pond powder rail road room rose sand screw shed shelf shirt silk skin soap stable star stem stone string table tea
ticket tool tray valley wall wax window wire`)
	adjectives = strings.Fields(`blue brown cheap cold curious deep false free full golden great grey hard high large light long lost lower narrow noble plain
private quick rare rich royal safe secret short single smooth solid square strange tall third vast white wide wooden`)
	first = strings.Fields(`Adam Albert Anna Carl David Ellen Eric Frank Grace Henry Jack Joan Julia Kate Lewis Maria Mary Nina Paul Philip Robert Samuel
Stephen Victor`)
	last = strings.Fields(`Baker Barber Black Butler Carter Cole Cross Dean Ford Frost Gray Hill King Lake Lee Martin Miller Pearson Reed Rose Stone Walker
Waters White`)
	verbs = strings.Fields(`accepted added borrowed built burned changed cleaned copied counted crossed designed examined exchanged finished followed found
guarded hired kept lent locked marked mended moved noticed opened ordered painted placed praised purchased received refused rented
repaired returned sealed searched served sold sorted studied tied tried turned visited watched`)
	places = strings.Fields(`abbey airport barracks border cape chapel cliff college court exchange ferry garden harbour hospital island library mill palace
pass prison river square theatre valley`)
	months = strings.Fields(`January February March April May June July August September October November December`)
	days   = strings.Fields(`Monday Tuesday Wednesday Thursday Friday Saturday Sunday`)
	trades = strings.Fields(`baker builder carpenter clerk cook driver fisher guard hunter keeper mason merchant miner painter porter sailor secretary soldier
surgeon teacher weaver`)
	units = strings.Fields(`bags boxes cases dozens gallons miles pages parts pounds rows sheets tons`)
	deeds = strings.Fields(`add build clean collect count draw fetch filter fold group join list lock mark merge open pack pick print read remove replace scan
select shift sort start store sync track turn watch`)
	things = strings.Fields(`account block cache client count depth event filter group header input key length line lock mask mode node owner pair path point
price rate report result row scale shape signal source stage stock stream target total unit vector volume window`)
)

// beginnings are the words that prompts begin with, many more than texts are made of.
var beginnings = strings.Fields(`anchor ancient apple arch arrow axe bag barn barrel basin basket beam bell belt bench bird black blanket block blue board boat
bolt bone book boot bottle bowl box branch brass bread brick bridge broken brown brush bucket butter button cabin cable candle
canvas card careful carpet cart castle chain chair chalk chart cheap chest circle clay clean clear clock cloth cloud coal coat
coin cold common copper cord corn cotton cover cow crown cup curious curtain dark deep desk diamond dish door double drawer dress
drum dry dust early eastern empty engine fair false feather fence field file fine flag flame flat floor flour flower forest fork
frame free fresh fruit full garden gate gentle glass glove gold golden good grain grand grass great green grey gun half hammer
handle hard hat hay heavy helmet hidden high hinge hollow honest hook horn horse house huge ink iron island jacket jar key kitchen
knife ladder lake lamp large late leaf leather letter lever light little local lock long loose lost low lower machine main map
market mask meadow metal milk mill mine minor mirror model mountain nail narrow needle net new noble northern odd oil old onion
open organ outer oven page paint palace pale panel paper path pear pen pencil picture pipe plain plank plant plate pocket pole
pond pool poor pot powder prison private public pump pure quick quiet rail rare red rice rich ring river road rock roof room root
rope rose rough round royal rural safe sail salt sand school screen screw seal second secret seed sharp shed sheep sheet shelf
shell ship shirt shoe shop short silent silk silver simple single sink skin small smoke smooth snow soap soft solid southern spare
spoon spring square stable stage stamp star station steady steam steel stem step stick stone stove strange street string strong
sugar sword table tail tall tank tea temple tent thick thin third ticket tight tile tin tool tower train tray tree tunnel upper
useful valley vast vessel wagon wall warm watch water wax wet wheat wheel white whole wide wild window wine wing wire wood wooden
wool yard yellow young`)

// openers are the same as a sentence begins.
var openers = func() (out []string) {
	for _, w := range beginnings {
		out = append(out, strings.ToUpper(w[:1])+w[1:])
	}
	return out
}()
